import {
  SearchIndexState,
  type IndexAdvice,
  type SearchCluster,
  type SearchTables,
} from '@ai-studio/contract/console/search-index.ts';
import { Alert, Badge, Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useFormat } from '../../parts/use-format.ts';
import classes from './overview.module.css';

const searchIndexQuery = queryOptions({
  queryKey: ['search-index'],
  queryFn: ({ signal }) => api.get('/search-index', SearchIndexState, { signal }),
  refetchInterval: 60_000,
});

/** What to do, in words. */
function useAdviceText(): (advice: IndexAdvice) => string {
  const { t } = useTranslation('overview');
  const { bytes, number, percent } = useFormat();
  return (advice) => {
    switch (advice.kind) {
      case 'parts_missing':
      case 'copies_missing':
        return t(`index.advice.${advice.kind}`);
      case 'later_version':
        return t('index.advice.later_version', { version: advice.version });
      case 'many_shards':
        return t('index.advice.many_shards', { shards: number(advice.shards), most: number(advice.most) });
      case 'disk_beyond':
        return t(`index.advice.disk_beyond.${advice.watermark}`, { node: advice.node, used: percent(advice.used) });
      case 'disk_low':
        return t('index.advice.disk_low', { free: bytes(advice.free) });
      case 'other_shards':
        return t('index.advice.other_shards', { indices: number(advice.indices) });
      case 'left_over':
        return t('index.advice.left_over', { indices: number(advice.indices) });
      case 'much_obsolete':
        return t('index.advice.much_obsolete', { stored: bytes(advice.stored), live: bytes(advice.live) });
      case 'many_pieces':
        return t('index.advice.many_pieces', { tables: number(advice.tables) });
      case 'not_indexed':
        return t('index.advice.not_indexed', { rows: number(advice.rows) });
    }
  };
}

/** What keeps documents from being found or taken in, or will soon. */
const isUrgent = (advice: IndexAdvice): boolean =>
  advice.kind === 'parts_missing' || (advice.kind === 'disk_beyond' && advice.watermark === 'flood_stage');

function Advice({ advice }: Pick<SearchIndexState, 'advice'>) {
  const { t } = useTranslation('overview');
  const textOf = useAdviceText();
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('index.advice_title')}
      </Title>
      {advice.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('index.nothing')}
        </Text>
      ) : (
        advice.map((one) => (
          <Alert
            key={textOf(one)}
            variant="light"
            py="xs"
            color={isUrgent(one) ? 'red' : one.kind === 'later_version' ? 'gray' : 'yellow'}
            icon={one.kind === 'later_version' ? <IconInfoCircle aria-hidden /> : <IconAlertTriangle aria-hidden />}
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
  const { t } = useTranslation('overview');
  const { number } = useFormat();
  if (cluster === null) return [];
  const { indices, shards, missing_shards: missing, wanted, moves } = cluster;
  return [
    { label: t('index.indices'), value: number(indices) },
    {
      label: t('index.shards'),
      value: number(shards),
      hint: missing === 0 ? undefined : t('index.shards_missing', { missing: number(missing) }),
    },
    {
      label: t('index.wanted'),
      value: number(wanted.shards),
      hint: t('index.wanted_copies', { replicas: number(wanted.replicas) }),
    },
    { label: t('index.moves'), value: number(moves), hint: moves === 0 ? undefined : t('index.moves_hint') },
  ];
}

function useFileFacts({ files }: { readonly files: SearchTables | null }): readonly Fact[] {
  const { t } = useTranslation('overview');
  const { bytes, number } = useFormat();
  if (files === null) return [];
  const { pieces, small_pieces: small, free_bytes: free, total_bytes: total } = files;
  return [
    { label: t('index.stored'), value: bytes(files.stored_bytes) },
    { label: t('index.versions'), value: number(files.versions) },
    {
      label: t('index.pieces'),
      value: number(pieces),
      hint: small === 0 ? undefined : t('index.small_pieces', { small: number(small) }),
    },
    { label: t('index.not_indexed'), value: number(files.not_indexed) },
    ...(free === null || total === null
      ? []
      : [{ label: t('index.free'), value: bytes(free), hint: t('index.free_of', { total: bytes(total) }) }]),
  ];
}

/** The nodes of a cluster, with their disks beside the watermarks. */
function Nodes({ nodes, watermarks }: SearchCluster) {
  const { t } = useTranslation('overview');
  const { bytes, number, percent } = useFormat();
  if (nodes.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('index.nodes')}
      </Title>
      {nodes.map(({ name, shards, used, free_bytes: free, beyond }) => (
        <Stack key={name} gap={2}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600} className={classes['text'] ?? ''}>
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              {used === null || free === null
                ? t('index.node_unknown')
                : t('index.node_disk', { used: percent(used), free: bytes(free) })}
              {' · '}
              {t('index.node_shards', { shards: number(shards) })}
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
          {t('index.watermarks', { low: watermarks.low, high: watermarks.high, flood: watermarks.flood_stage })}
        </Text>
      )}
    </Stack>
  );
}

const statusColors = { green: 'green', yellow: 'yellow', red: 'red' } as const;

function Heading({ kind, host, cluster, files }: SearchIndexState) {
  const { t } = useTranslation('overview');
  const place =
    kind === 'embedded'
      ? t(`index.${files?.place ?? 'folder'}`)
      : cluster === null
        ? t('index.away', { host: host ?? '' })
        : t('index.opensearch', { version: cluster.version, host: host ?? '' });
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Title order={2} size="h4">
          {t('index.title')}
        </Title>
        <Text size="sm" c="dimmed" className={classes['text'] ?? ''}>
          {place}
        </Text>
      </div>
      {cluster === null ? null : (
        <Badge variant="light" color={cluster.status === null ? 'gray' : statusColors[cluster.status]} tt="none">
          {t(`index.status.${cluster.status ?? 'empty'}`)}
        </Badge>
      )}
    </Group>
  );
}

function Figures(state: SearchIndexState) {
  const { t } = useTranslation('overview');
  const { bytes, number, time } = useFormat();
  const { kind, tables, rows, files, cluster, trouble, advice } = state;
  const cases = [useClusterFacts({ cluster }), useFileFacts({ files })].flat();
  if (trouble !== null)
    return (
      <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        {t('index.trouble', { reason: trouble })}
      </Alert>
    );
  return (
    <>
      <Facts
        facts={[
          { label: t('index.rows'), value: number(rows) },
          { label: t('index.tables'), value: number(tables) },
          { label: t(kind === 'embedded' ? 'index.size' : 'index.size_copies'), value: bytes(state.bytes) },
          ...cases,
        ]}
      />
      {files !== null && files.looked_into < tables ? (
        <Text size="xs" c="dimmed">
          {t('index.looked_into', { tables: number(files.looked_into) })}
        </Text>
      ) : null}
      {cluster === null ? null : <Nodes {...cluster} />}
      <Advice advice={advice} />
      <Text size="xs" c="dimmed">
        {t('index.looked_at', { time: time(state.looked_at) })}
      </Text>
    </>
  );
}

/** Nothing lies beside the files yet, and there is nothing to say. */
const isUnused = ({ kind, tables, trouble, advice }: SearchIndexState): boolean =>
  kind === 'embedded' && tables === 0 && trouble === null && advice.length === 0;

/** How the search index fares and what to do about it, for who looks after the installation. */
export function SearchIndex() {
  const { t } = useTranslation('overview');
  const query = useQuery(searchIndexQuery);
  if (query.data !== undefined && isUnused(query.data)) return null;
  return (
    <Card withBorder radius="md" padding="lg" mt="lg" component="section" aria-label={t('index.title')}>
      <Loaded query={query}>
        {(state) => (
          <Stack gap="md">
            <Heading {...state} />
            <Figures {...state} />
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
