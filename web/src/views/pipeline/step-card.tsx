import type { DraggableProvidedDragHandleProps } from '@hello-pangea/dnd';
import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { ListedPlugin } from '@knowledge-warehouse/client';
import { PluginState } from '../../parts/status/plugin-state.js';
import { boundNames, bounds, problemOfBound, rangeOf, type BoundName, type DraftStep } from './draft.js';
import type { StepFlow as Flow } from './flow.js';
import { StepFlow } from './step-flow.js';
import classes from './step-list.module.css';

interface StepCardProps {
  readonly step: DraftStep;
  readonly index: number;
  readonly count: number;
  readonly plugins: readonly ListedPlugin[] | undefined;
  readonly flow: Flow | null;
  readonly handle: DraggableProvidedDragHandleProps | null;
  readonly onChange: (step: DraftStep) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

const unavailable = { 'data-disabled': true, 'aria-disabled': true } as const;

export function StepCard(props: StepCardProps): ReactElement {
  const { step, index, count, plugins = [], flow, handle, onChange, onMove, onRemove } = props;
  const number = index + 1;
  const ids = new Set(plugins.map(({ id }) => id).sort());
  if (step.plugin_id !== '') ids.add(step.plugin_id);
  return (
    <div className={classes.card} role="group" aria-label={`Step ${number}`}>
      <div
        {...handle}
        className={classes.handle}
        aria-label={`Move step ${number} with the space bar and arrow keys`}
      >
        <IconGripVertical size={17} stroke={1.7} aria-hidden />
      </div>
      <div className={classes.plugin}>
        <NativeSelect
          label={`${number}. Plugin`}
          data={[{ value: '', label: 'Choose a plugin', disabled: true }, ...ids]}
          value={step.plugin_id}
          onChange={(event) => onChange({ ...step, plugin_id: event.currentTarget.value })}
        />
        <div className={classes.state}>
          <PluginState id={step.plugin_id} plugins={props.plugins} />
          {step.plugin_id !== '' && <Link href={`/plugins/${step.plugin_id}`}>Its config</Link>}
        </div>
      </div>
      {boundNames.map((name) => (
        <BoundInput
          key={name}
          name={name}
          value={step[name]}
          onChange={(value) => onChange({ ...step, [name]: value })}
        />
      ))}
      <div className={classes.buttons}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move step ${number} up`}
          // Moving does nothing there. A disabled button would lose the focus.
          {...(index === 0 && unavailable)}
          onClick={() => onMove(index - 1)}
        >
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move step ${number} down`}
          {...(index === count - 1 && unavailable)}
          onClick={() => onMove(index + 1)}
        >
          <IconArrowDown size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove step ${number}`} onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
      <StepFlow flow={flow} />
    </div>
  );
}

interface BoundInputProps {
  readonly name: BoundName;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An input for one of a step's bounds, with its allowed range and default. */
function BoundInput({ name, value, onChange }: BoundInputProps): ReactElement {
  const { label, usual, allowDecimal } = bounds[name];
  const problem = problemOfBound(name, value);
  return (
    <TextInput
      label={label}
      description={problem === null && rangeOf(name)}
      error={problem}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={String(usual)}
      inputMode={allowDecimal ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
