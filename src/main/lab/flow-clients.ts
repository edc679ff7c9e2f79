import { Client, compressionAlgorithms, credentials } from '@grpc/grpc-js';
import { demoSteps } from './demo-steps';

/** One call (or one handful of equal calls) of the demo and how it ended. */
export interface DemoOutcome {
  name: string;
  /** Name of the gRPC status it ended with: `OK`, `DEADLINE_EXCEEDED`. */
  status: string;
  expected: string;
  /** The status is the expected one, and what came back is what was asked for. */
  matches: boolean;
  /** What came back, for reading. */
  detail: string;
}

export interface DemoOptions {
  /** Called after each step, in order. */
  onStep?: (outcome: DemoOutcome) => void;
}

/** Both limits are grpc-js's for one message; the demo's largest has 3 MiB. */
const largestMessage = 8 * 1024 * 1024;

/**
 * Makes the demo's calls against `target` (`HOST:PORT`, cleartext), which speaks health and `penstock.demo.v1.Flow`:
 * directly, or a tap in front of it. A call that fails is an outcome; nothing is thrown, and an unreachable target
 * gives a list of UNAVAILABLE. Two connections are made: one for all plain calls, one that compresses with gzip
 * (grpc-js compresses by channel). Both are closed at the end.
 */
export async function runDemoCalls(target: string, options: DemoOptions = {}): Promise<DemoOutcome[]> {
  const channelOptions = {
    'grpc.max_receive_message_length': largestMessage,
    'grpc.max_send_message_length': largestMessage,
    // Connections of its own, so that every run begins with a connection's preface.
    'grpc.use_local_subchannel_pool': 1,
  };
  const plain = new Client(target, credentials.createInsecure(), channelOptions);
  const gzip = new Client(target, credentials.createInsecure(), {
    ...channelOptions,
    'grpc.default_compression_algorithm': compressionAlgorithms.gzip,
  });
  const outcomes: DemoOutcome[] = [];
  try {
    for (const step of demoSteps) {
      const result = await step.run({ plain, gzip });
      const matches = result.status === step.expected && result.fault === undefined;
      const outcome = {
        name: step.name,
        status: result.status,
        expected: step.expected,
        matches,
        detail: result.fault ?? result.detail,
      };
      outcomes.push(outcome);
      options.onStep?.(outcome);
    }
  } finally {
    plain.close();
    gzip.close();
  }
  return outcomes;
}
