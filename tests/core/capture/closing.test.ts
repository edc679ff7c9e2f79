/** How a connection ended: what its record says of FINs and resets. */
import { describe, expect, it } from 'vitest';
import { type Conversation, conversation } from '../../support/conversation';
import { Decoded } from '../../support/decoded';
import { PREFACE, ping, settings } from '../../support/encode';

function opened(): Conversation {
  return conversation().toServer(0.1, PREFACE, settings()).toClient(0.2, settings());
}

/** `[who, how]`; undefined while open. Side 0 is the client. */
function closedOf(talk: Conversation): [who: 'client' | 'server', how: string] | undefined {
  const { closed } = Decoded.of(talk.file()).capture.connections[0]!;
  return closed && [closed.by === 0 ? 'client' : 'server', closed.how];
}

describe('a connection', () => {
  it('is open until something ends it', () => {
    expect(closedOf(opened())).toBeUndefined();
  });

  it('was closed by who sent the first FIN', () => {
    expect(closedOf(opened().fin(0.3, 'toClient').fin(0.4, 'toServer'))).toEqual(['server', 'fin']);
  });

  it('was reset by who sent the first reset', () => {
    expect(closedOf(opened().reset(0.3, 'toClient').reset(0.4, 'toServer'))).toEqual(['server', 'reset']);
  });

  it('was reset, although one side had sent its FIN: that had only half-closed it', () => {
    const talk = opened().fin(0.3, 'toServer').toClient(0.4, ping()).reset(0.5, 'toServer');
    expect(closedOf(talk)).toEqual(['client', 'reset']);
    expect(closedOf(opened().fin(0.3, 'toServer').reset(0.5, 'toClient'))).toEqual(['server', 'reset']);
  });

  it('was closed by FINs, although a reset came behind both of them', () => {
    const talk = opened().fin(0.3, 'toServer').fin(0.4, 'toClient').reset(0.5, 'toServer');
    expect(closedOf(talk)).toEqual(['client', 'fin']);
  });
});
