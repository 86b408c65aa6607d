import type { ServedModel } from '@ai-studio/contract/console/models.ts';
import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../parts/use-format.ts';

type Facts = NonNullable<ServedModel['embedding']>;

/** What an embedding model does: the length of its vectors and texts, prefixes, and what of that asks for a look. */
export function EmbedderFacts({ facts }: { readonly facts: Facts }) {
  const { t } = useTranslation('modelsPage');
  const { number } = useFormat();
  const { dimension, declared_dimension: declared, max_tokens: tokens, norm } = facts;
  const hasPrefixes = facts.query_prefix !== '' || facts.passage_prefix !== '';
  const known = [
    dimension === null ? null : t('embedder.dimension', { dimension: number(dimension) }),
    tokens === null ? null : t('embedder.tokens', { tokens: number(tokens) }),
    norm === null ? null : t('embedder.norm', { norm: number(Math.round(norm * 100) / 100) }),
    facts.shortens === null ? null : t(facts.shortens ? 'embedder.shortens' : 'embedder.shortens_not'),
    facts.cuts_silently === true ? t('embedder.cuts') : null,
    hasPrefixes ? t('embedder.prefixes') : null,
  ].filter((fact) => fact !== null);
  const wrong = [
    facts.problem,
    dimension !== null && declared !== null && dimension !== declared
      ? t('embedder.other_dimension', { declared: number(declared) })
      : null,
    facts.norm !== null && tokens === null ? t('embedder.no_length') : null,
    tokens !== null && facts.server_tokens !== null && tokens > facts.server_tokens
      ? t('embedder.shorter', { tokens: number(facts.server_tokens) })
      : null,
    facts.prefix_sensitive === true && !hasPrefixes ? t('embedder.wants_prefixes') : null,
  ].filter((one) => one !== null);
  return (
    <Stack gap={2}>
      <Text size="sm">{known.join(', ')}</Text>
      {wrong.map((text) => (
        <Text key={text} size="xs" c="var(--mantine-color-error)" maw={320}>
          {text}
        </Text>
      ))}
    </Stack>
  );
}
