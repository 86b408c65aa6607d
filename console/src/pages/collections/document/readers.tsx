import { type DocumentReader, DocumentReaders } from '@ai-studio/contract/console/readers.ts';
import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import { Badge, Button, Modal, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLock } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { documentPath } from '../queries.ts';

const readersQuery = ({ collection_id: id, document_id: documentId }: Document) =>
  queryOptions({
    queryKey: ['collection', id, 'document', documentId, 'readers'],
    queryFn: ({ signal }) => api.get(`${documentPath(id, documentId)}/readers`, DocumentReaders, { signal }),
  });

/** What is known here of a reader. */
function useKnown() {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  return ({ kind, person, members }: DocumentReader): string => {
    if (kind === 'person') return person ?? t('document.reader_unknown');
    if (kind === 'domain') return '';
    return members === null ? t('document.group_unknown') : t('document.group_members', { members: number(members) });
  };
}

function List({ document }: { readonly document: Document }) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const knownOf = useKnown();
  const query = useQuery(readersQuery(document));
  return (
    <Loaded query={query}>
      {({ items, total }) => (
        <Stack gap="sm">
          <Text size="sm">{t(total === 0 ? 'document.readers_none' : 'document.readers_text')}</Text>
          {items.length === 0 ? null : (
            <Table aria-label={t('document.readers_title')}>
              <Table.Tbody>
                {items.map((reader) => (
                  <Table.Tr key={`${reader.kind} ${reader.name}`}>
                    <Table.Td w="5rem">{t(`document.reader_kinds.${reader.kind}`)}</Table.Td>
                    <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                      {reader.name}
                    </Table.Th>
                    <Table.Td c="dimmed">{knownOf(reader)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
          {total > items.length ? (
            <Text size="sm" c="dimmed">
              {t('document.readers_more', { readers: number(total - items.length) })}
            </Text>
          ) : null}
        </Stack>
      )}
    </Loaded>
  );
}

interface ReadersProps {
  readonly document: Document;
  readonly mayChange: boolean;
}

/** That a document has readers of its own, and for whoever may change its collection who they are. */
export function Readers({ document, mayChange }: ReadersProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const [opened, { open, close }] = useDisclosure();
  const { data } = useQuery({
    ...readersQuery(document),
    enabled: mayChange && document.restricted === true,
  });
  if (document.restricted !== true) return null;
  const icon = <IconLock size={12} aria-hidden />;
  if (!mayChange)
    return (
      <Badge variant="light" size="sm" tt="none" color="grape" leftSection={icon} title={t('document.restricted_hint')}>
        {t('document.restricted')}
      </Badge>
    );
  return (
    <>
      <Button size="compact-xs" variant="light" color="grape" leftSection={icon} onClick={open}>
        {data === undefined ? t('document.restricted') : t('document.readers', { readers: number(data.total) })}
      </Button>
      <Modal opened={opened} onClose={close} title={t('document.readers_title')} size="lg">
        <List document={document} />
      </Modal>
    </>
  );
}
