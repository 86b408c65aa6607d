import { PersonList } from '@ai-studio/contract/console/people.ts';
import { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { Button, Fieldset, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { pathOf } from './queries.ts';

/** Gives a collection to somebody else, also where its owner is gone; for administrators. */
export function OwnerSection({ collection }: { readonly collection: ConsoleCollection }) {
  const { t } = useTranslation('collectionsPage');
  const queries = useQueryClient();
  const { done } = useNotify();
  const { collection_id: id, owner } = collection;
  const [chosen, setChosen] = useState<string | null>(null);
  const { data: people } = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => api.get('/users', PersonList, { signal }),
  });
  const able = people?.items.filter(({ state, role }) => state === 'active' && role !== 'user') ?? [];
  const { mutate, isPending, error } = useMutation({
    mutationFn: (userId: string) => api.put(`${pathOf(id)}/owner`, { user_id: userId }, ConsoleCollection),
    async onSuccess(changed) {
      queries.setQueryData(['collection', id], changed);
      setChosen(null);
      done(t('settings.owner_changed', { owner: changed.owner?.name ?? '' }));
      await queries.invalidateQueries({ queryKey: ['collections'] });
    },
  });
  const name = owner === null ? null : owner.kind === 'key' ? t('owner_key', { name: owner.name }) : owner.name;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== null) mutate(chosen);
      }}
    >
      <Fieldset legend={t('owner')}>
        <Stack gap="md">
          <FormAlert error={error} />
          <Text size="sm" c="dimmed">
            {name === null ? t('settings.owner_none') : t('settings.owner_now', { owner: name })}{' '}
            {t('settings.owner_hint')}
          </Text>
          <Group align="flex-end" gap="sm">
            <Select
              label={t('settings.owner_new')}
              flex="1 1 14rem"
              searchable
              clearable
              data={able.map((one) => ({ value: one.id, label: `${one.name} (${one.email})` }))}
              value={chosen}
              onChange={setChosen}
            />
            <Button type="submit" variant="default" loading={isPending} disabled={chosen === null}>
              {t('settings.owner_change')}
            </Button>
          </Group>
        </Stack>
      </Fieldset>
    </form>
  );
}
