import { Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/actions/dialog.js';
import classes from './shortcuts.module.css';

const shortcuts = [
  { keys: '/', does: 'Search in all texts' },
  { keys: '↑ ↓', does: 'Go from hit to hit' },
  { keys: 'g r', does: 'Resources' },
  { keys: 'g p', does: 'Pipelines' },
  { keys: 'g l', does: 'Plugins' },
  { keys: 'g o', does: 'Overview' },
  { keys: 'g s', does: 'System' },
  { keys: 'Shift + click', does: 'Select a range of resources' },
  { keys: '?', does: 'These shortcuts' },
] as const;

const places: Readonly<Record<string, string>> = {
  r: '/resources',
  p: '/pipelines',
  l: '/plugins',
  o: '/overview',
  s: '/system',
};

/** Milliseconds within which two keys count as one shortcut. */
const pairMs = 1_000;
let firstAt = 0;
const notePairBegan = (): void => {
  firstAt = performance.now();
};
const isSecondOfPair = (): boolean => performance.now() - firstAt < pairMs;

/** The page's keyboard shortcuts, and the list of them under "?". */
export function Shortcuts(): ReactElement | null {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [, navigate] = useLocation();
  const go = (key: string): void => {
    const place = places[key];
    if (place !== undefined && isSecondOfPair()) navigate(place);
  };
  useHotkeys([
    ['shift+?', open],
    ['?', open],
    ['g', notePairBegan],
    ...Object.keys(places).map((key): [string, () => void] => [key, () => go(key)]),
  ]);
  if (!isOpen) return null;
  return (
    <Dialog onClose={close} title="Keyboard shortcuts">
      <dl className={classes.list}>
        {shortcuts.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <Kbd>{keys}</Kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
