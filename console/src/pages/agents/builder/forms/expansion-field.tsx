import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import { QueryExpansion } from '@ai-studio/contract/retrieval/collection.ts';
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';

const OFF = 'off';
const expansions = QueryExpansion.shape.kind.options;

/** Whether a chat model says more of what the query asks for. */
export function ExpansionField({ node }: { readonly node: NodeOf<'retrieve'> }) {
  const { t } = useTranslation('agentBuilder');
  const { change } = useBuilder();
  const { query_expansion: expansion } = node;
  return (
    <Select
      label={t('fields.query_expansion')}
      allowDeselect={false}
      data={[
        { value: OFF, label: t('fields.rerank_off') },
        ...expansions.map((kind) => ({ value: kind, label: t(`query_expansions.${kind}`) })),
      ]}
      value={expansion?.kind ?? OFF}
      onChange={(chosen) => {
        const kind = expansions.find((known) => known === chosen);
        change(node, { query_expansion: kind === undefined ? undefined : { ...expansion, kind } }, 'query_expansion');
      }}
    />
  );
}
