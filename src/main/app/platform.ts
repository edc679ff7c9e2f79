import type { PlatformFacts } from '../../shared/app';

/** A file that a browser may fetch. */
export interface Download {
  path: string;
  /** As the browser shall call it. */
  name: string;
  /** Octets of it that are meant; all when not given. */
  length?: number;
  /** Made for this: removed when it was fetched, or at the program's end. */
  temporary: boolean;
}

/** What the place can do that the program runs in. */
export interface Platform {
  readonly facts: PlatformFacts;
  /** Native dialogs, where there are any. Undefined: the user thought better of it. */
  readonly dialogs?: {
    open(): Promise<string | undefined>;
    save(suggestedName: string): Promise<string | undefined>;
  };
  /** Where files are fetched from, where that is how it is done. @returns the address, relative to the window's */
  offer?(download: Download): string;
}
