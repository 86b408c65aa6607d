import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { beforeLeaving } from '../../app/before-leaving.ts';
import { useNotify } from '../use-notify.tsx';
import { createRemovals, type Removals } from './removals.ts';

/** Long enough to read the notice and to reach its button by keyboard (WCAG 2.2.1 asks for no less where a limit is set). */
const GRACE_MS = 8_000;

/** Removals outlive the page that began them, as people go on meanwhile. */
const stores = new WeakMap<QueryClient, Removals>();

interface Removal {
  readonly ids: readonly string[];
  readonly message: string;
  readonly act: () => Promise<void>;
  /** What lists count each among. */
  readonly groupOf?: (id: string) => string | null;
}

interface Removing {
  /** Ids of what is to be gone, each with its group, if it has one. */
  readonly waiting: ReadonlyMap<string, string | null>;
  /** Removes things unless it is taken back; `message` says what was removed. */
  remove(what: Removal): void;
}

/** Removes things with a notice by which it can be undone, instead of asking before. */
export function useRemovals(): Removing {
  const { t } = useTranslation('parts');
  const queries = useQueryClient();
  const { failed } = useNotify();
  let store = stores.get(queries);
  if (store === undefined) {
    store = createRemovals({ graceMs: GRACE_MS, onFailure: failed });
    stores.set(queries, store);
    const { finish } = store;
    // What was said to be gone is gone, also where the window is closed at once.
    globalThis.addEventListener('pagehide', () => void finish());
    // Nor is it done by whoever signs in next, or in another tenant.
    beforeLeaving(finish);
  }
  const { begin, waiting, subscribe } = store;
  return {
    waiting: useSyncExternalStore(subscribe, waiting),
    remove({ ids, message, act, groupOf }) {
      const undo = begin(ids, act, groupOf);
      const id = notifications.show({
        withBorder: true,
        autoClose: GRACE_MS,
        icon: <IconTrash size={18} />,
        message: (
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Text size="sm">{message}</Text>
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => {
                undo();
                notifications.hide(id);
              }}
            >
              {t('undo')}
            </Button>
          </Group>
        ),
      });
    },
  };
}
