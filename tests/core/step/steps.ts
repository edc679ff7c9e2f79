import { stepState } from '../../../src/core/step/record';
import { Stepper } from '../../../src/core/step/stepper';
import { MemorySource } from '../../../src/main/session/byte-source';
import { Session } from '../../../src/main/session/session';
import type { StepState } from '../../../src/shared/step';

export function sessionOf(file: Uint8Array): Session {
  const session = new Session(new MemorySource(file));
  session.capture.push(file);
  session.capture.end();
  return session;
}

export function stepperOf(session: Session, conn = 1, interval?: number): Stepper {
  const connection = session.capture.connections[conn - 1]!;
  return new Stepper(session.capture, connection, session.payloads, interval === undefined ? {} : { interval });
}

/** The state at a place of a connection, from 0, as a stepper gives it. */
export function stateAt(session: Session, stepper: Stepper, position: number, conn = 1): StepState {
  stepper.seek(position);
  const { capture, payloads } = session;
  const frame = session.frame(capture.numberOf(stepper.rowAt(position)));
  return stepState(capture, capture.connections[conn - 1]!, payloads, stepper, position, frame);
}

/** A stepper that has only gone forward, from nothing. */
export function fromScratch(session: Session, position: number, conn = 1): StepState {
  return stateAt(session, stepperOf(session, conn, Number.POSITIVE_INFINITY), position, conn);
}

/** The state at a frame of the first connection, by the frame's number. */
export function at(session: Session, n: number): StepState {
  const stepper = stepperOf(session);
  return stateAt(session, stepper, stepper.positionOf(session.rowOf(n)));
}
