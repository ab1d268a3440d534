import { NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Run } from '@knowledge-warehouse/client';
import { formatRelative } from '../../parts/format.js';
import { useNow } from '../../parts/now.js';
import { looks } from '../../parts/status/status.js';

interface RunPickerProps {
  readonly runs: readonly Run[];
  readonly newest: number;
  readonly chosen: number;
  readonly onChoose: (run: number) => void;
}

/** Selects a previous run. Renders nothing if there is only one run. */
export function RunPicker({ runs, newest, chosen, onChoose }: RunPickerProps): ReactElement | null {
  const now = useNow();
  if (runs.length < 2) return null;
  return (
    <NativeSelect
      aria-label="Run"
      size="xs"
      value={String(chosen)}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
      data={runs.map(({ run, status, started_at }) => ({
        value: String(run),
        label: `Run ${run}${run === newest ? ' (newest)' : ''} · ${looks[status].label.toLowerCase()} · ${formatRelative(new Date(started_at), now)}`,
      }))}
    />
  );
}
