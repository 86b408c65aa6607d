import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { LoadingRows } from './loading.tsx';
import classes from './tab-panels.module.css';

interface TabPanelsProps<T extends string, P extends object> {
  /** The first is open where the address names none. */
  readonly tabs: readonly T[];
  readonly labelOf: (tab: T) => string;
  readonly panels: Readonly<Record<T, ComponentType<P>>>;
  /** Properties of every panel. */
  readonly panelProps: P;
}

/** Parts of a page, one at a time; the address names the one that is open. */
export function TabPanels<T extends string, P extends object>({
  tabs,
  labelOf,
  panels,
  panelProps,
}: TabPanelsProps<T, P>) {
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false });
  return (
    <Tabs
      value={tabs.find((one) => one === tab) ?? tabs[0] ?? null}
      keepMounted={false}
      onChange={(value) =>
        void navigate({ to: '.', search: { tab: value ?? undefined }, replace: true, resetScroll: false })
      }
    >
      <Tabs.List className={classes['tabs'] ?? ''} mb="lg">
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {labelOf(one)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((one) => {
        const Panel: ComponentType<P> = panels[one];
        return (
          <Tabs.Panel key={one} value={one}>
            <Suspense fallback={<LoadingRows />}>
              <Panel {...panelProps} />
            </Suspense>
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}
