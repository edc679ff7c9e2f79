import { callLines } from './call-table';
import { type Command, FILE, JSON_OPTION } from './command';
import { map } from './frames';
import { withSession } from './open';

export const calls: Command = {
  name: 'calls',
  operands: [FILE],
  description: 'the gRPC calls and plain HTTP/2 exchanges',
  options: [JSON_OPTION],
  async run(given, context) {
    await withSession(context, given.operands[0]!, async (session) => {
      const indexes = Array.from({ length: session.callCount }, (_, index) => index);
      if (given.switches.has('json')) {
        return context.out.lines(map(indexes, (index) => JSON.stringify(session.call(index))));
      }
      if (indexes.length === 0) return context.note('no calls');
      const records = indexes.map((index) => session.call(index));
      await context.out.lines(callLines(records, context.style, context.width));
    });
  },
};
