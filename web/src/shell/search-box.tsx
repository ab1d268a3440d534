import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState, type ReactElement } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useSearchAgain } from '../api/search.js';
import classes from './search-box.module.css';

/** The maximum length of a query in code points. */
const longestQuery = 1_000;

/** Searches the texts of resources from every view. "/" focuses it, Enter shows the hits. */
export function SearchBox(): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const [path, navigate] = useLocation();
  const address = useSearch();
  const isShown = path === '/search';
  const asked = isShown ? (new URLSearchParams(address).get('q') ?? '') : '';
  const [text, setText] = useState(asked);
  const [known, setKnown] = useState(asked);
  const searchAgain = useSearchAgain();
  const focus = (): void => input.current?.select();
  useHotkeys([
    ['/', focus],
    // Many keyboards have it on Shift + 7.
    ['shift+/', focus],
  ]);
  // The URL has another search, from a link or from going back.
  if (known !== asked) {
    setKnown(asked);
    setText(asked);
  }

  const search = (): void => {
    const words = text.trim();
    if (words === '') return;
    if (words === asked.trim()) {
      searchAgain();
      return;
    }
    // A new query keeps the filters of the previous one.
    const parameters = new URLSearchParams(isShown ? address : '');
    for (const name of ['limit', 'per_resource']) parameters.delete(name);
    parameters.set('q', words);
    navigate(`/search?${parameters}`);
  };
  return (
    <search className={classes.box}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <TextInput
          ref={input}
          type="search"
          dir="auto"
          enterKeyHint="search"
          aria-label="Search all documents"
          placeholder="Search all documents"
          maxLength={longestQuery}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') input.current?.blur();
            if (event.key === 'ArrowDown' && focusFirstHit()) event.preventDefault();
          }}
          leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
          rightSectionPointerEvents="all"
          rightSection={
            text === '' ? (
              <Kbd size="xs" aria-hidden>
                /
              </Kbd>
            ) : (
              <CloseButton
                size="sm"
                aria-label="Clear the search"
                onClick={() => {
                  setText('');
                  input.current?.focus();
                }}
              />
            )
          }
        />
      </form>
    </search>
  );
}

/** Moves the focus to the first hit. Returns whether there is one. */
function focusFirstHit(): boolean {
  const hit = document.querySelector<HTMLElement>('[data-hit] a');
  hit?.focus();
  return hit !== null;
}
