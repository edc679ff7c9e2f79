/** Exit statuses that scripts rely on. */
export const ExitCode = { DONE: 0, FAILED: 1, USAGE: 2 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Ends the program with one line on standard error. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
  ) {
    super(message);
  }
}

/** The input or the network failed. */
export function failure(message: string): CommandError {
  return new CommandError(message, ExitCode.FAILED);
}

/** Wrong usage: the message says what is allowed. */
export function usage(message: string): CommandError {
  return new CommandError(message, ExitCode.USAGE);
}

/** Who reads our output has enough of it (`| head`): no failure. */
export class OutputClosed extends Error {}
