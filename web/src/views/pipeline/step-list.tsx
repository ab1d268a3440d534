import { DragDropContext, Draggable, Droppable, type DropResult } from '@hello-pangea/dnd';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { usePlugins } from '../../api/plugins.js';
import { styleNonce } from '../../nonce.js';
import { useRefusal } from '../../parts/actions/permission.js';
import { mostSteps, moveItem, newStep, type DraftStep } from './draft.js';
import { flowOf } from './flow.js';
import { StepCard } from './step-card.js';
import { StepShown } from './step-shown.js';
import classes from './step-list.module.css';

interface StepListProps {
  readonly steps: readonly DraftStep[];
  readonly onChange: (steps: readonly DraftStep[]) => void;
}

/** The steps in order. Users reorder them by dragging, with keys on the handle, or with buttons. */
export function StepList({ steps, onChange }: StepListProps): ReactElement {
  const { data: plugins } = usePlugins();
  const isForbidden = useRefusal('admin') !== null;
  const list = useRef<HTMLOListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const flow = flowOf(steps, plugins ?? []);
  const drop = ({ source, destination }: DropResult): void => {
    if (destination !== null) onChange(moveItem(steps, source.index, destination.index));
  };
  const remove = (index: number): void => {
    flushSync(() => onChange(steps.toSpliced(index, 1)));
    // The button with the focus is gone with its step.
    const next = list.current?.children[index]?.querySelector<HTMLElement>('[role="button"]');
    (next ?? addButton.current)?.focus();
  };
  if (isForbidden) {
    return (
      <ol className={classes.list} aria-label="Steps">
        {steps.map((step, index) => (
          <li key={step.key} className={classes.item}>
            <StepShown step={step} number={index + 1} plugins={plugins} flow={flow[index] ?? null} />
          </li>
        ))}
      </ol>
    );
  }
  return (
    <>
      <DragDropContext onDragEnd={drop} nonce={styleNonce}>
        <Droppable droppableId="steps">
          {({ innerRef, droppableProps, placeholder }) => (
            <ol
              ref={(element) => {
                innerRef(element);
                list.current = element;
              }}
              {...droppableProps}
              className={classes.list}
              aria-label="Steps"
            >
              {steps.map((step, index) => (
                <Draggable key={step.key} draggableId={step.key} index={index}>
                  {(drag, { isDragging }) => (
                    <li
                      ref={drag.innerRef}
                      {...drag.draggableProps}
                      className={classes.item}
                      data-dragging={isDragging || undefined}
                    >
                      <StepCard
                        step={step}
                        index={index}
                        count={steps.length}
                        plugins={plugins}
                        flow={flow[index] ?? null}
                        handle={drag.dragHandleProps}
                        onChange={(changed) => onChange(steps.with(index, changed))}
                        onMove={(to) => onChange(moveItem(steps, index, to))}
                        onRemove={() => remove(index)}
                      />
                    </li>
                  )}
                </Draggable>
              ))}
              {placeholder}
            </ol>
          )}
        </Droppable>
      </DragDropContext>
      <Button
        ref={addButton}
        variant="light"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={steps.length >= mostSteps}
        onClick={() => onChange([...steps, newStep()])}
      >
        Add step
      </Button>
    </>
  );
}
