import { create } from 'zustand';
import type { CaptureSettings } from '../../shared/app';

/** What went wrong with something the user asked for; shown where it was asked, until dismissed or done again. */
export interface Refusal {
  message: string;
  field: keyof CaptureSettings | null;
}

export const useRefusal = create<{ refusal: Refusal | null }>(() => ({ refusal: null }));

export function tell(message: string, field: keyof CaptureSettings | null = null): void {
  useRefusal.setState({ refusal: { message, field } });
}

export function dismiss(): void {
  useRefusal.setState({ refusal: null });
}
