import type { ToolServer } from '@ai-studio/contract/console/agents.ts';
import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { inputsOf } from './inputs.ts';
import type { Tool } from './try-tool.tsx';

/** Fetched when somebody tries a tool. */
const TryDialog = lazy(async () => ({ default: (await import('./try-tool.tsx')).TryDialog }));

function Inputs({ tool }: { readonly tool: Tool }) {
  const { t } = useTranslation('toolsPage');
  const inputs = inputsOf(tool.parameters);
  if (inputs.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('no_parameters')}
      </Text>
    );
  return (
    <Stack gap={4}>
      {inputs.map(({ name, type, required, description }) => (
        <div key={name}>
          <Group gap={6}>
            <Code>{name}</Code>
            {type === '' ? null : (
              <Text size="xs" c="dimmed" lang="en">
                {type}
              </Text>
            )}
            {required ? (
              <Badge size="xs" variant="light" tt="none">
                {t('required')}
              </Badge>
            ) : null}
          </Group>
          {description === '' ? null : (
            <Text size="xs" c="dimmed" lineClamp={2} lang="">
              {description}
            </Text>
          )}
        </div>
      ))}
    </Stack>
  );
}

function useColumns(onTry: (tool: Tool) => void): Column<Tool>[] {
  const { t } = useTranslation('toolsPage');
  return [
    {
      key: 'tool',
      header: t('tool'),
      sort: ({ name }) => name,
      cell: (tool) => (
        <Stack gap={2} maw={420}>
          <Text size="sm" fw={600} lang="" style={{ overflowWrap: 'anywhere' }}>
            {tool.name}
          </Text>
          {tool.description === '' ? null : (
            <Text size="xs" c="dimmed" lineClamp={3} lang="">
              {tool.description}
            </Text>
          )}
        </Stack>
      ),
    },
    { key: 'parameters', header: t('parameters'), from: 'sm', cell: (tool) => <Inputs tool={tool} /> },
    {
      key: 'try',
      header: t('try'),
      hiddenHeader: true,
      align: 'end',
      width: 110,
      cell: (tool) => (
        <Button
          size="xs"
          variant="light"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          aria-label={t('try_of', { name: tool.name })}
          onClick={() => onTry(tool)}
        >
          {t('try')}
        </Button>
      ),
    },
  ];
}

/** The tools of a server, each to be tried. */
export function ToolList({ server }: { readonly server: ToolServer }) {
  const { t } = useTranslation('toolsPage');
  const [tried, setTried] = useState<Tool | null>(null);
  /** Once one was: the dialog stays, to close in its own time. */
  const [tries, setTries] = useState(false);
  const columns = useColumns((tool) => {
    setTries(true);
    setTried(tool);
  });
  if (server.tools.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('no_tools')}. {t('no_tools_hint')}
      </Text>
    );
  return (
    <>
      <DataTable
        label={t('tools_of', { name: server.name })}
        columns={columns}
        rows={server.tools}
        rowKey={({ name }) => name}
        pageSize={10}
        minWidth={0}
      />
      {tries ? (
        <Suspense>
          <TryDialog server={server} tool={tried} onClose={() => setTried(null)} />
        </Suspense>
      ) : null}
    </>
  );
}
