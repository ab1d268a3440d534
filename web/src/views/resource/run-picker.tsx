import { NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Run } from '@knowledge-warehouse/client';
import { formatRelative } from '../../parts/format.js';
import { useNow } from '../../parts/now.js';
import { looks } from '../../parts/status.js';

interface RunPickerProps {
  readonly runs: readonly Run[];
  readonly newest: number;
  readonly chosen: number;
  readonly onChoose: (run: number) => void;
}

/** The runs before this one; nothing while there is but one. */
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
