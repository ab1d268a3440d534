import { IconPlus } from '@tabler/icons-react';
import { useDeferredValue, type ReactElement } from 'react';
import { useAdding } from '../../adding/adding.js';
import { UploadsButton } from '../../adding/uploads-button.js';
import { useResources } from '../../api/resources.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { formatTotal } from '../../parts/format.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { ResourceDialogs } from '../../parts/resource-actions/resource-dialogs.js';
import { AttentionStrip } from './attention-strip.js';
import { toOperationFilter } from './filter.js';
import { FilterBar } from './filter-bar.js';
import { OperationMenu } from './operations/operation-menu.js';
import { mostIds, SelectionBar } from './operations/selection-bar.js';
import { useOperations } from './operations/use-operations.js';
import { ResourceList } from './resource-list.js';
import { useSelection } from './selection.js';
import { useFilter } from './use-filter.js';

const none: readonly never[] = [];

/** All resources, with search, adding and bulk operations. */
export function ResourcesView(): ReactElement {
  const { filter, sort, limit, cursor, change, clear, isFiltered } = useFilter();
  const resources = useResources({ filter, sort, limit, cursor });
  const { items = none, total } = resources.data ?? {};
  const selection = useSelection(items, filter);
  // The bar appears after the check mark, which it would delay on a slow machine.
  const isSelecting = useDeferredValue(selection.ids.size > 0) && selection.ids.size > 0;
  const operations = useOperations(items, selection.clear);
  const openAdding = useAdding();
  const count = total === undefined ? null : formatTotal(total);
  const everything = { filter: toOperationFilter(filter) };

  const add = (
    <AllowedButton scope="write" leftSection={<IconPlus size={17} aria-hidden />} onClick={openAdding}>
      Add resources
    </AllowedButton>
  );
  return (
    <>
      <PageHeader
        title="Resources"
        description="Files and URLs, and their progress through the pipeline."
        actions={
          <>
            <UploadsButton onClick={openAdding} />
            {items.length > 0 && (
              <OperationMenu
                label={isFiltered ? `All ${count ?? ''} that match` : `All ${count ?? ''}`}
                onAction={(action) => operations.ask(action, everything)}
              />
            )}
            {add}
          </>
        }
      />
      <AttentionStrip />
      <FilterBar filter={filter} isFiltered={isFiltered} onChange={change} onClear={clear} />
      {operations.progress}
      {isSelecting && (
        <SelectionBar
          selection={selection}
          matching={total !== undefined && total.value > Math.min(items.length, mostIds) ? count : null}
          onAction={(action) =>
            operations.ask(action, selection.isAllSelected ? everything : { ids: [...selection.ids] })
          }
        />
      )}
      <ResourceDialogs>
        <ResourceList
          query={resources}
          cursor={cursor}
          sort={sort}
          limit={limit}
          selection={selection}
          isFiltered={isFiltered}
          add={add}
          onClear={clear}
          onChange={change}
        />
      </ResourceDialogs>
      {operations.dialog}
    </>
  );
}
