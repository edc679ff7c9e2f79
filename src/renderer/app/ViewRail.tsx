import {
  Calculator,
  ChartNoAxesColumn,
  Layers,
  ListTree,
  Repeat,
  Rows3,
  StepForward,
  TriangleAlert,
} from 'lucide-react';
import { useView, type ViewName } from '../state/view-store';

const VIEWS: { name: ViewName; label: string; icon: typeof Rows3; keys: string }[] = [
  { name: 'timeline', label: 'Timeline', icon: Rows3, keys: '1' },
  { name: 'calls', label: 'Calls', icon: ListTree, keys: '2' },
  { name: 'windows', label: 'Windows', icon: ChartNoAxesColumn, keys: '3' },
  { name: 'rounds', label: 'Rounds', icon: Repeat, keys: '4' },
  { name: 'accounts', label: 'Accounts', icon: Calculator, keys: '5' },
  { name: 'concurrency', label: 'Concurrency', icon: Layers, keys: '6' },
  { name: 'findings', label: 'Findings', icon: TriangleAlert, keys: '7' },
  { name: 'step', label: 'Step', icon: StepForward, keys: '8' },
];

/** The views, one under the other. */
export function ViewRail() {
  const view = useView((state) => state.view);
  return (
    <nav className="rail" aria-label="Views">
      {VIEWS.map(({ name, label, icon: Icon, keys }) => (
        <button
          key={name}
          type="button"
          className="rail-item"
          aria-current={view === name ? 'page' : undefined}
          title={`${label} (${keys})`}
          onClick={() => useView.setState({ view: name })}
        >
          <Icon size={18} aria-hidden />
          {label}
        </button>
      ))}
    </nav>
  );
}
