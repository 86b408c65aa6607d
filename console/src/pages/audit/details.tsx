import type { AuditEvent } from '@ai-studio/contract/console/audit.ts';
import { limitFields } from '@ai-studio/contract/limits.ts';
import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../parts/use-format.ts';

/** Names and values of what an event tells beside who and what. Those without words are shown as they are kept. */
function useFacts() {
  const { t } = useTranslation('auditPage');
  const { t: common } = useTranslation('common');
  const { t: keys } = useTranslation('keysPage');
  const { number } = useFormat();
  const { t: setting } = useTranslation('settings');
  const { t: privacy } = useTranslation('privacy');
  const facts: Readonly<Record<string, string>> = {
    name: setting('name'),
    allowed_models: setting('allowed_models'),
    default_model: setting('default_model'),
    default_embedding_model: setting('default_embedding_model'),
    synonyms: setting('synonyms'),
    ...Object.fromEntries(limitFields.map((field) => [field, setting(field)])),
    tool_stream: setting('tool_stream'),
    max_keys: setting('max_keys'),
    require_second_factor: setting('require_second_factor'),
    session_idle_hours: setting('session_idle_hours'),
    conversation_days: setting('conversation_days'),
    agent_traces: setting('agent_traces'),
    accent: setting('accent'),
    mode: privacy('policy.mode'),
    types: privacy('policy.types'),
    threshold: privacy('policy.threshold'),
    deny_list: privacy('policy.deny_list'),
    allow_list: privacy('policy.allow_list'),
    may_loosen: privacy('policy.may_loosen'),
    recognizer_model: privacy('policy.recognizer_model'),
    ...t('facts', { returnObjects: true }),
  };
  const ways: Readonly<Record<string, string>> = t('ways', { returnObjects: true });
  const modes: Readonly<Record<string, string>> = privacy('policy.modes', { returnObjects: true });
  const accents: Readonly<Record<string, string>> = setting('accents', { returnObjects: true });
  const values: Readonly<Record<string, string>> = {
    ...common('role', { returnObjects: true }),
    ...keys('scope', { returnObjects: true }),
    ...privacy('types', { returnObjects: true }),
  };
  return {
    nameOf: (name: string) => facts[name] ?? name,
    valueOf(name: string, value: string | number | boolean | null) {
      // A setting that was taken back.
      if (value === null) return '–';
      if (typeof value === 'boolean') return common(value ? 'yes' : 'no');
      if (typeof value === 'number') return number(value);
      if (name === 'method' || name === 'step') return ways[value] ?? value;
      if (name === 'mode') return modes[value] ?? value;
      if (name === 'accent') return accents[value] ?? value;
      return ['role', 'scopes', 'from', 'to', 'types'].includes(name)
        ? value
            .split(', ')
            .map((one) => values[one] ?? one)
            .join(', ')
        : value;
    },
  };
}

/** All that is known of an entry. */
export function Details({ event }: { readonly event: AuditEvent }) {
  const { t } = useTranslation('auditPage');
  const { exact } = useFormat();
  const { nameOf, valueOf } = useFacts();
  const facts: (readonly [string, string | null])[] = [
    [t('when'), exact(event.at)],
    [t('who'), event.actor.name],
    [t('what'), t(`actions.${event.action}`)],
    [t('target'), event.target?.name ?? null],
    [t('target_id'), event.target?.id ?? null],
    [t('address'), event.address],
    [t('browser'), event.user_agent],
    [t('request'), event.request_id],
    ...Object.entries(event.detail)
      // What was before it was changed comes first, whatever order the database keeps.
      .toSorted(([one], [other]) => Number(other === 'from') - Number(one === 'from'))
      .map(([name, value]) => [nameOf(name), valueOf(name, value)] as const),
  ];
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {facts
          .filter(([, value]) => value !== null && value !== '')
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={160}>
                {name}
              </Table.Th>
              <Table.Td>
                <Text size="sm">{value}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
