/** SETTINGS not acknowledged that are remembered; of more, the oldest count as acknowledged. */
const MAX_PENDING = 256;

/**
 * SETTINGS_INITIAL_WINDOW_SIZE of one side in the books of its peer, or in its own.
 *
 * Its own: the peer may go by the old value until its acknowledgement has come (RFC 9113 §6.5.3), so the largest of
 * the value acknowledged and those on their way is what counts. An increase thus counts when it is sent, a decrease
 * when it is acknowledged. Example: 65,535 in force, 1,000 and then 50,000 sent: 65,535 until the first is
 * acknowledged, 50,000 from then on.
 */
export class InitialSize {
  private readonly pending: { row: number; value: number }[] = [];
  private counted: number | undefined;

  /** @param value in force; undefined when it was not seen */
  constructor(private inForce: number | undefined) {
    this.counted = inForce;
  }

  /** A value counts from now on. @returns by how much windows change; 0 where the value before it is unknown */
  set(value: number): number {
    this.inForce = value;
    return this.count(value);
  }

  /** Its own side has sent the value in the frame `row`. @returns as `set` */
  sent(row: number, value: number): number {
    this.pending.push({ row, value });
    if (this.pending.length > MAX_PENDING) this.inForce = this.pending.shift()!.value;
    return this.permit();
  }

  /** The SETTINGS in the frame `row`, and those before it, are acknowledged. @returns as `set` */
  acknowledged(row: number): number {
    while (this.pending.length > 0 && this.pending[0]!.row <= row) this.inForce = this.pending.shift()!.value;
    return this.permit();
  }

  private permit(): number {
    if (this.inForce === undefined) return 0;
    let value = this.inForce;
    for (const sent of this.pending) if (sent.value > value) value = sent.value;
    return this.count(value);
  }

  private count(value: number): number {
    const change = this.counted === undefined ? 0 : value - this.counted;
    this.counted = value;
    return change;
  }
}
