import type { Paint } from './style';

export interface Column {
  title: string;
  align?: 'left' | 'right';
  /** At least this wide; what is wider pushes the rest of its own line, and widens the lines after it. */
  width?: number;
}

export interface Cell {
  text: string;
  paint?: Paint;
}

/** Lines of aligned columns, two blanks between them; widths grow with what comes, so rows can be printed as they come. */
export class Table {
  private readonly widths: number[];

  constructor(
    private readonly columns: readonly Column[],
    private readonly dim: Paint,
    /** Lines are cut here, if given. */
    private readonly lineWidth?: number,
  ) {
    this.widths = columns.map(({ title, width }) => Math.max(title.length, width ?? 0));
  }

  /** Makes room for rows that are known before they are printed. */
  fit(rows: readonly (readonly (string | Cell)[])[]): this {
    for (const row of rows) this.grow(row);
    return this;
  }

  header(): string {
    return this.dim(this.layOut(this.columns.map(({ title }) => title)));
  }

  row(cells: readonly (string | Cell)[]): string {
    this.grow(cells);
    return this.layOut(cells);
  }

  private grow(cells: readonly (string | Cell)[]): void {
    // The last column, if aligned left, needs no width: nothing stands behind it.
    const last = this.columns.length - 1;
    for (let i = 0; i < cells.length; i++) {
      if (i === last && this.columns[i]!.align !== 'right') continue;
      this.widths[i] = Math.max(this.widths[i]!, textOf(cells[i]!).length);
    }
  }

  private layOut(cells: readonly (string | Cell)[]): string {
    let line = '';
    let at = 0;
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!;
      const text = textOf(cell);
      const padding = ' '.repeat(Math.max(0, this.widths[i]! - text.length));
      const right = this.columns[i]!.align === 'right';
      const before = (i === 0 ? '' : '  ') + (right ? padding : '');
      const room = this.lineWidth === undefined ? text.length : this.lineWidth - at - before.length;
      if (room <= 0 && this.lineWidth !== undefined) break;
      const shown = text.length > room ? `${text.slice(0, room - 1)}…` : text;
      line += before + (typeof cell === 'string' || cell.paint === undefined ? shown : cell.paint(shown));
      if (!right && i < cells.length - 1) line += padding;
      at += before.length + shown.length + (right ? 0 : padding.length);
    }
    return line.trimEnd();
  }
}

function textOf(cell: string | Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
