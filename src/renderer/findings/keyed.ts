import type { FindingRecord } from '../../shared/records';

export interface KeyedFinding {
  /** Stays the same while a growing capture brings more findings of other kinds. */
  key: string;
  finding: FindingRecord;
}

/** Findings with keys: a kind, where it is, and which of those it is. */
export function keyed(findings: readonly FindingRecord[]): KeyedFinding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const place = `${finding.id} ${finding.conn} ${finding.stream ?? ''}`;
    const nth = (seen.get(place) ?? 0) + 1;
    seen.set(place, nth);
    return { key: `${place} ${nth}`, finding };
  });
}
