import { describe, expect, test } from 'vitest';
import { Capture } from '../../../src/core/capture/capture';
import { accountOf } from '../../../src/core/flow/account';
import { costSentence, sumSentence } from '../../../src/renderer/accounts/words';
import { healthCheck } from '../../main/headless/fixture';

const capture = new Capture();
capture.push(healthCheck().file());
capture.end();

describe('an account in words', () => {
  const whole = accountOf(capture);
  const nothing = accountOf(capture, { from: 1e12 });

  test('says what a call took', () => {
    // 3 chunks to the server, 3 to the client; 2 control frames there and 4 here.
    expect(costSentence([whole])).toBe('A call took 6.00 chunks, 6.00 control frames and 1.00 PINGs');
    expect(sumSentence(whole)).toMatch(/^1 call with 2 messages of 18 B; .* in 11 frames and 6 chunks\.$/);
  });

  test('sets two times against each other', () => {
    expect(costSentence([whole, nothing])).toBe(
      'A call took 6.00 against – chunks, 6.00 against – control frames and 1.00 against – PINGs',
    );
  });

  test('says so where nothing went', () => {
    expect(costSentence([nothing])).toBe('Nothing went in this time');
    expect(costSentence([accountOf(capture, { to: 0.003e9 })])).toBe('No call had part in this time');
    expect(costSentence([])).toBe('');
  });
});
