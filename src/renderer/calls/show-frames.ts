import { services } from '../state/app-store';
import { applyFilter } from '../state/filter';
import { select, useView } from '../state/view-store';

/** Takes the user to the frames of a call, the first of them selected. */
export function showFrames({ conn, stream }: { conn: number; stream: number }): void {
  useView.setState({ view: 'timeline', follow: false });
  void applyFilter(`conn == ${conn} && stream == ${stream}`);
  services()
    .api.callDetail(conn, stream)
    .then(
      (detail) => detail !== null && detail.frames[0] > 0 && select(detail.frames[0]),
      () => undefined,
    );
}
