import type { Job } from '../../shared/app';

export interface RunningJob {
  readonly signal: AbortSignal;
  /** From 0 to 1. */
  progress(value: number): void;
}

/** Work that a window shows with its progress, and can cancel. */
export class Jobs {
  private readonly jobs = new Map<number, { job: Job; abort: AbortController }>();
  private nextId = 1;

  constructor(private readonly changed: () => void) {}

  get list(): Job[] {
    return [...this.jobs.values()].map(({ job }) => ({ ...job }));
  }

  /** @throws what `work` throws; after a cancel, that is for `work` to tell by the signal */
  async run<T>(title: string, work: (job: RunningJob) => Promise<T>): Promise<T> {
    const id = this.nextId++;
    const job: Job = { id, title, progress: null };
    const abort = new AbortController();
    this.jobs.set(id, { job, abort });
    this.changed();
    try {
      return await work({
        signal: abort.signal,
        progress: (value) => {
          job.progress = Math.min(1, Math.max(0, value));
          this.changed();
        },
      });
    } finally {
      this.jobs.delete(id);
      this.changed();
    }
  }

  cancel(id: number): void {
    this.jobs.get(id)?.abort.abort();
  }

  cancelAll(): void {
    for (const { abort } of this.jobs.values()) abort.abort();
  }
}
