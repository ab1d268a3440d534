import { Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/actions/dialog.js';
import classes from './shortcuts.module.css';

/** The views that "g" and another key open. */
const places = [
  { key: 'r', path: '/resources', does: 'Resources' },
  { key: 'p', path: '/pipelines', does: 'Pipelines' },
  { key: 'l', path: '/plugins', does: 'Plugins' },
  { key: 'o', path: '/overview', does: 'Overview' },
  { key: 's', path: '/system', does: 'System' },
] as const;

const shortcuts = [
  { keys: '/', does: 'Search all documents' },
  { keys: '↑ ↓', does: 'Go from hit to hit' },
  ...places.map(({ key, does }) => ({ keys: `g ${key}`, does })),
  { keys: 'Shift + click', does: 'Select a range of resources' },
  { keys: '?', does: 'These shortcuts' },
];

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
  useHotkeys([
    ['shift+?', open],
    ['?', open],
    ['g', notePairBegan],
    ...places.map(({ key, path }): [string, () => void] => [key, () => isSecondOfPair() && navigate(path)]),
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
