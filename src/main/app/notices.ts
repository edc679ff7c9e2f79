import type { Notice } from '../../shared/app';

/** Kept at most; the oldest go first. */
const MAX_NOTICES = 20;

/** Things to tell the user until they are dismissed. The same words stand once. */
export class Notices {
  private notices: Notice[] = [];
  private nextId = 1;

  constructor(private readonly changed: () => void) {}

  get list(): Notice[] {
    return [...this.notices];
  }

  add(severity: Notice['severity'], message: string): void {
    if (this.notices.some((notice) => notice.message === message)) return;
    this.notices = [...this.notices, { id: this.nextId++, severity, message }].slice(-MAX_NOTICES);
    this.changed();
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
    this.changed();
  }
}
