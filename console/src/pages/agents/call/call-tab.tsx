import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Alert, Anchor, Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../../api/session.ts';
import { KEY_VARIABLE } from '../../../parts/code/notation.ts';
import { CodeSamples } from '../../../parts/code/code-samples.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import classes from '../agents.module.css';
import { curlCode, javascriptCode, pythonCode } from './code.ts';

const write = { curl: curlCode, python: pythonCode, javascript: javascriptCode };

interface AddressProps {
  readonly label: string;
  readonly value: string;
  readonly copyLabel: string;
}

function Address({ label, value, copyLabel }: AddressProps) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Code className={classes['id'] ?? ''}>{value}</Code>
        <CopyButton value={value} label={copyLabel} />
      </Group>
    </div>
  );
}

/** How an agent is called from elsewhere. */
export function CallTab({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTranslation('agents');
  const ownKeys = hasPermission(useMe(), ['keys.own']);
  const input = agent.draft.nodes.find((node) => node.kind === 'input');
  const question = input?.examples[0] ?? t('call.question');
  return (
    <Stack gap="lg" maw="60rem">
      {agent.deployed_version === null ? (
        <Alert variant="light" color="orange" icon={<IconInfoCircle size={18} aria-hidden />}>
          {t('call.not_deployed')}
        </Alert>
      ) : null}
      <Address label={t('call.address')} value={agent.a2a_url} copyLabel={t('call.copy_address')} />
      <Address label={t('call.card')} value={agent.card_url} copyLabel={t('call.copy_card')} />
      <section aria-label={t('call.code')}>
        <Title order={2} size="h4" mb="xs">
          {t('call.code')}
        </Title>
        <CodeSamples
          write={write}
          content={{ url: agent.a2a_url, cardUrl: agent.card_url, question }}
          label={t('call.languages')}
          hint={t('call.code_hint', { variable: KEY_VARIABLE })}
        />
      </section>
      {ownKeys ? (
        <Anchor component={Link} to="/keys" size="sm">
          {t('call.key')}
        </Anchor>
      ) : null}
    </Stack>
  );
}
