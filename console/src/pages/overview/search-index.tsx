import {
  SearchIndexState,
  type IndexAdvice,
  type SearchCluster,
  type SearchTables,
} from '@ai-studio/contract/console/search-index.ts';
import { Alert, Badge, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useLateWords } from '../../i18n/use-late-words.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useFormat } from '../../parts/use-format.ts';
import classes from './search-index.module.css';

const searchIndexQuery = queryOptions({
  queryKey: ['search-index'],
  queryFn: ({ signal }) => api.get('/search-index', SearchIndexState, { signal }),
  refetchInterval: 60_000,
});

/** What to do, in words. */
function useAdviceText(): (advice: IndexAdvice) => string {
  const { t } = useTranslation('searchIndex');
  const { bytes, number, percent } = useFormat();
  return (advice) => {
    switch (advice.kind) {
      case 'parts_missing':
      case 'copies_missing':
        return t(`advice.${advice.kind}`);
      case 'many_shards':
        return t('advice.many_shards', { shards: number(advice.shards), most: number(advice.most) });
      case 'disk_beyond':
        return t(`advice.disk_beyond.${advice.watermark}`, { node: advice.node, used: percent(advice.used) });
      case 'disk_low':
        return t('advice.disk_low', { free: bytes(advice.free) });
      case 'other_shards':
        return t('advice.other_shards', { indices: number(advice.indices) });
      case 'left_over':
        return t('advice.left_over', { indices: number(advice.indices) });
      case 'much_obsolete':
        return t('advice.much_obsolete', { stored: bytes(advice.stored), live: bytes(advice.live) });
      case 'many_pieces':
        return t('advice.many_pieces', { tables: number(advice.tables) });
      case 'not_indexed':
        return t('advice.not_indexed', { rows: number(advice.rows) });
    }
  };
}

/** What keeps documents from being found or taken in, or will soon. */
const isUrgent = (advice: IndexAdvice): boolean =>
  advice.kind === 'parts_missing' || (advice.kind === 'disk_beyond' && advice.watermark === 'flood_stage');

function Advice({ advice }: Pick<SearchIndexState, 'advice'>) {
  const { t } = useTranslation('searchIndex');
  const textOf = useAdviceText();
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('advice_title')}
      </Title>
      {advice.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('nothing')}
        </Text>
      ) : (
        advice.map((one) => (
          <Alert
            key={textOf(one)}
            variant="light"
            py="xs"
            color={isUrgent(one) ? 'red' : 'yellow'}
            icon={<IconAlertTriangle aria-hidden />}
          >
            {textOf(one)}
          </Alert>
        ))
      )}
    </Stack>
  );
}

interface Fact {
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
}

/** Figures with their names. */
function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes['facts']}>
      {facts.map(({ label, value, hint }) => (
        <div key={label}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fw={600} className={classes['text'] ?? ''}>
            {value}
            {hint === undefined ? null : (
              <Text span size="xs" c="dimmed" display="block" fw={400}>
                {hint}
              </Text>
            )}
          </Text>
        </div>
      ))}
    </dl>
  );
}

function useClusterFacts({ cluster }: { readonly cluster: SearchCluster | null }): readonly Fact[] {
  const { t } = useTranslation('searchIndex');
  const { number } = useFormat();
  if (cluster === null) return [];
  const { indices, shards, missing_shards: missing, wanted, moves } = cluster;
  return [
    { label: t('indices'), value: number(indices) },
    {
      label: t('shards'),
      value: number(shards),
      hint: missing === 0 ? undefined : t('shards_missing', { missing: number(missing) }),
    },
    {
      label: t('wanted'),
      value: number(wanted.shards),
      hint: t('wanted_copies', { replicas: number(wanted.replicas) }),
    },
    { label: t('moves'), value: number(moves), hint: moves === 0 ? undefined : t('moves_hint') },
  ];
}

function useFileFacts({ files }: { readonly files: SearchTables | null }): readonly Fact[] {
  const { t } = useTranslation('searchIndex');
  const { bytes, number } = useFormat();
  if (files === null) return [];
  const { pieces, small_pieces: small, free_bytes: free, total_bytes: total } = files;
  return [
    { label: t('stored'), value: bytes(files.stored_bytes) },
    { label: t('versions'), value: number(files.versions) },
    {
      label: t('pieces'),
      value: number(pieces),
      hint: small === 0 ? undefined : t('small_pieces', { small: number(small) }),
    },
    { label: t('not_indexed'), value: number(files.not_indexed) },
    ...(free === null || total === null
      ? []
      : [{ label: t('free'), value: bytes(free), hint: t('free_of', { total: bytes(total) }) }]),
  ];
}

/** The nodes of a cluster, with their disks beside the watermarks. */
function Nodes({ nodes, watermarks }: SearchCluster) {
  const { t } = useTranslation('searchIndex');
  const { bytes, number, percent } = useFormat();
  if (nodes.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('nodes')}
      </Title>
      {nodes.map(({ name, shards, used, free_bytes: free, beyond }) => (
        <Stack key={name} gap={2}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600} className={classes['text'] ?? ''}>
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              {used === null || free === null
                ? t('node_unknown')
                : t('node_disk', { used: percent(used), free: bytes(free) })}
              {' · '}
              {t('node_shards', { shards: number(shards) })}
            </Text>
          </Group>
          {used === null ? null : (
            <Progress
              size="sm"
              value={used * 100}
              color={beyond === null ? 'green' : beyond === 'low' ? 'yellow' : 'red'}
              aria-label={name}
            />
          )}
        </Stack>
      ))}
      {watermarks === null ? null : (
        <Text size="xs" c="dimmed">
          {t('watermarks', { low: watermarks.low, high: watermarks.high, flood: watermarks.flood_stage })}
        </Text>
      )}
    </Stack>
  );
}

const statusColors = { green: 'green', yellow: 'yellow', red: 'red' } as const;

function Heading({ kind, host, cluster, files }: SearchIndexState) {
  const { t } = useTranslation('searchIndex');
  const place =
    kind === 'embedded'
      ? t(files?.place ?? 'folder')
      : cluster === null
        ? t('away', { host: host ?? '' })
        : t('opensearch', { version: cluster.version, host: host ?? '' });
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Title order={2} size="h4">
          {t('title')}
        </Title>
        <Text size="sm" c="dimmed" className={classes['text'] ?? ''}>
          {place}
        </Text>
      </div>
      {cluster === null ? null : (
        <Badge variant="light" color={cluster.status === null ? 'gray' : statusColors[cluster.status]} tt="none">
          {t(`status.${cluster.status ?? 'empty'}`)}
        </Badge>
      )}
    </Group>
  );
}

function Figures(state: SearchIndexState) {
  const { t } = useTranslation('searchIndex');
  const { bytes, number, time } = useFormat();
  const { kind, tables, rows, files, cluster, trouble, advice } = state;
  const cases = [useClusterFacts({ cluster }), useFileFacts({ files })].flat();
  if (trouble !== null)
    return (
      <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        {t('trouble', { reason: trouble })}
      </Alert>
    );
  return (
    <>
      <Facts
        facts={[
          { label: t('rows'), value: number(rows) },
          { label: t('tables'), value: number(tables) },
          { label: t(kind === 'embedded' ? 'size' : 'size_copies'), value: bytes(state.bytes) },
          ...cases,
        ]}
      />
      {files !== null && files.looked_into < tables ? (
        <Text size="xs" c="dimmed">
          {t('looked_into', { tables: number(files.looked_into) })}
        </Text>
      ) : null}
      {cluster === null ? null : <Nodes {...cluster} />}
      <Advice advice={advice} />
      <Text size="xs" c="dimmed">
        {t('looked_at', { time: time(state.looked_at) })}
      </Text>
    </>
  );
}

/** Nothing lies beside the files yet, and there is nothing to say. */
const isUnused = ({ kind, tables, trouble, advice }: SearchIndexState): boolean =>
  kind === 'embedded' && tables === 0 && trouble === null && advice.length === 0;

/** How the search index fares and what to do about it, for who looks after the installation. */
export function SearchIndex() {
  const { t } = useTranslation('searchIndex');
  const isReady = useLateWords('searchIndex');
  const query = useQuery(searchIndexQuery);
  if (!isReady || (query.data !== undefined && isUnused(query.data))) return null;
  return (
    <Paper withBorder radius="md" p="lg" mt="lg" component="section" aria-label={t('title')}>
      <Loaded query={query}>
        {(state) => (
          <Stack gap="md">
            <Heading {...state} />
            <Figures {...state} />
          </Stack>
        )}
      </Loaded>
    </Paper>
  );
}
