import { CircleX, Info, TriangleAlert } from 'lucide-react';
import type { Severity } from '../../shared/records';

const ICONS = { error: CircleX, warning: TriangleAlert, info: Info } as const;

/** Told by its shape, its colour and, beside it or to those who listen, its word. */
export function SeverityIcon({ severity }: { severity: Severity }) {
  const Icon = ICONS[severity];
  return <Icon size={15} className={`severity-${severity}`} role="img" aria-label={severity} />;
}
