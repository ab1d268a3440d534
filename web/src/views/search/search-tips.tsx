import { IconSearch } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { EmptyState } from '../../parts/messages/empty-state.js';
import classes from './search-tips.module.css';

/** Search tips, shown before the first search. */
export const SearchTips = (): ReactElement => (
  <>
    <EmptyState title="Search all documents" icon={<IconSearch size={26} stroke={1.6} />}>
      Type words into the box above. The best matches come first.
    </EmptyState>
    <dl className={classes.tips}>
      <div>
        <dt>
          <code>disk quota</code>
        </dt>
        <dd>Passages with any of the words. Passages with more of them come first.</dd>
      </div>
      <div>
        <dt>
          <code>&quot;disk quota&quot;</code>
        </dt>
        <dd>Passages with exactly this phrase.</dd>
      </div>
      <div>
        <dt>
          <code>disk -floppy</code>
        </dt>
        <dd>Passages without this word.</dd>
      </div>
    </dl>
  </>
);
