import type { Notice } from '../../shared/app';

/** Kept at most; the oldest go first. */
const MAX_NOTICES = 20;

/** Things to tell the user until they are dismissed. The same words stand once. */
export class Notices {
  private notices: Notice[] = [];
  /** Ids of those that are about the session that is open. */
  private readonly ofSession = new Set<number>();
  private nextId = 1;

  constructor(private readonly changed: () => void) {}

  get list(): Notice[] {
    return [...this.notices];
  }

  add(severity: Notice['severity'], message: string, about?: Notice['about']): number | undefined {
    if (this.notices.some((notice) => notice.message === message)) return undefined;
    const id = this.nextId++;
    this.notices = [...this.notices, { id, severity, message, ...(about && { about }) }].slice(-MAX_NOTICES);
    this.changed();
    return id;
  }

  /** Something about the session that is open, to be told as long as it is. */
  addOfSession(severity: Notice['severity'], message: string, about?: Notice['about']): void {
    const id = this.add(severity, message, about);
    if (id !== undefined) this.ofSession.add(id);
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
    this.ofSession.delete(id);
    this.changed();
  }

  /** The session is closed: what there was to tell of it says nothing of the next. */
  closeSession(): void {
    for (const id of this.ofSession) this.dismiss(id);
  }
}
