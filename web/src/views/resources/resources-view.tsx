import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState, type ReactElement } from 'react';
import { useResources } from '../../api/resources.js';
import { AllowedButton } from '../../parts/allowed-button.js';
import { formatTotal } from '../../parts/format.js';
import { PageHeader } from '../../parts/page-header.js';
import { DropTarget } from './add/drop-target.js';
import { UploadsButton } from './add/uploads-button.js';
import { toOperationFilter, useFilter } from './filter.js';
import { FilterBar } from './filter-bar.js';
import { OperationMenu } from './operations/operation-menu.js';
import { SelectionBar } from './operations/selection-bar.js';
import { useOperations } from './operations/use-operations.js';
import { ResourceList } from './resource-list.js';
import { useSelection } from './selection.js';

const AddDialog = lazy(() => import('./add/add-dialog.js'));
const none: readonly never[] = [];

/** All resources: finding them, adding to them, and what can be done with many at once. */
export function ResourcesView(): ReactElement {
  const { filter, sort, limit, cursor, change, clear, isFiltered } = useFilter();
  const resources = useResources({ filter, sort, limit, cursor });
  const { items = none, total } = resources.data ?? {};
  const selection = useSelection(items);
  const operations = useOperations(selection.clear);
  const [isAdding, adding] = useDisclosure(false);
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const count = total === undefined ? null : formatTotal(total);
  const everything = { filter: toOperationFilter(filter) };

  const drop = (files: readonly File[]): void => {
    setDropped(files);
    adding.open();
  };
  const closeAdding = (): void => {
    adding.close();
    setDropped([]);
  };
  const add = (
    <AllowedButton scope="write" leftSection={<IconPlus size={17} aria-hidden />} onClick={adding.open}>
      Add resources
    </AllowedButton>
  );
  return (
    <DropTarget onFiles={drop}>
      <PageHeader
        title="Resources"
        description="Files and URLs, and how far each has got through its pipeline."
        actions={
          <>
            <UploadsButton onClick={adding.open} />
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
      <FilterBar filter={filter} isFiltered={isFiltered} onChange={change} onClear={clear} />
      {operations.progress}
      {selection.ids.size > 0 && (
        <SelectionBar
          selection={selection}
          matching={total !== undefined && total.value > items.length ? count : null}
          onAction={(action) =>
            operations.ask(action, selection.isAllSelected ? everything : { ids: [...selection.ids] })
          }
        />
      )}
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
      {operations.dialog}
      <Suspense>{isAdding && <AddDialog files={dropped} onClose={closeAdding} />}</Suspense>
    </DropTarget>
  );
}
