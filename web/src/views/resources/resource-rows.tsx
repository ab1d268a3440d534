import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useDeferredValue, useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import type { ListedResource } from '@knowledge-warehouse/client';
import { formatRelative } from '../../parts/format.js';
import { useNow } from '../../parts/now.js';
import { ResourceRow } from './resource-row.js';
import type { Selection } from './selection.js';
import { waitOf } from './waiting.js';

interface ResourceRowsProps {
  readonly resources: readonly ListedResource[];
  readonly ids: ReadonlySet<string>;
  readonly onToggle: Selection['toggle'];
}

/** More rows than this are rendered only while they are near the visible part. */
const mostRendered = 200;

export const ResourceRows = memo(function ResourceRows(props: ResourceRowsProps): ReactElement {
  // One clock for all rows. It ticks in the background: React renders hundreds of separate subscribers at once.
  const now = useDeferredValue(useNow());
  if (props.resources.length > mostRendered) return <VisibleRows {...props} now={now} />;
  return (
    <tbody role="rowgroup">
      {props.resources.map((resource) => (
        <ResourceRow key={resource.id} {...rowProps(props, resource, now)} />
      ))}
    </tbody>
  );
});

function VisibleRows({ now, ...props }: ResourceRowsProps & { readonly now: number }): ReactElement {
  const { resources } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void =>
      setScrollMargin(Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    // What is above the list changes its height: notices, the bar of the selection.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const rows = useWindowVirtualizer({
    count: resources.length,
    estimateSize: () => 58,
    overscan: 12,
    scrollMargin,
    getItemKey: (index) => resources[index]?.id ?? index,
  });
  const visible = rows.getVirtualItems();
  const above = (visible[0]?.start ?? scrollMargin) - scrollMargin;
  const below = rows.getTotalSize() - ((visible.at(-1)?.end ?? scrollMargin) - scrollMargin);
  // Positioning each row would give every row its own style, which Chromium compares one by one.
  return (
    <tbody role="rowgroup" ref={body} style={{ paddingTop: above, paddingBottom: below }}>
      {visible.map(({ index, key }) => {
        const resource = resources[index];
        return (
          resource && (
            <ResourceRow
              key={key}
              {...rowProps(props, resource, now)}
              index={index}
              measure={rows.measureElement}
            />
          )
        );
      })}
    </tbody>
  );
}

function rowProps({ ids, onToggle }: ResourceRowsProps, resource: ListedResource, now: number) {
  return {
    resource,
    changed: formatRelative(new Date(resource.updated_at), now),
    waiting: waitOf(resource, now),
    isSelected: ids.has(resource.id),
    onToggle,
  };
}
