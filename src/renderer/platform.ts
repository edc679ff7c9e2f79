import type { Outcome, PlatformFacts } from '../shared/app';

/** What differs between Electron's window and a browser's; injected, so that no view asks where it runs. */
export interface Platform {
  facts: PlatformFacts;
  /** Opens a file that was dropped, or chosen with a browser's own file input. */
  openFile(file: File): Promise<Outcome>;
  /** Takes the user to a download. */
  download(address: string): void;
}
