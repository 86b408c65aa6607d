import type { PromptSummary, PromptVersion } from '@ai-studio/contract/console/prompts.ts';
import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changePrompt, promptVersionsQuery } from '../../api/prompts.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import classes from './prompts.module.css';

interface VersionsProps {
  readonly prompt: PromptSummary;
  readonly onClose: () => void;
}

/** The versions of the text of a prompt, and the way back to one. */
export function PromptVersionList({ prompt, onClose }: VersionsProps) {
  const { t } = useTranslation('promptsPage');
  const queries = useQueryClient();
  const query = useQuery(promptVersionsQuery(prompt.id));
  const newest = query.data?.items[0]?.version ?? prompt.version;
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: ({ content }: PromptVersion) => changePrompt(prompt.id, { version: newest, content }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['prompts'] }),
        queries.invalidateQueries({ queryKey: ['prompt', prompt.id] }),
      ]),
  });
  return (
    <Modal opened onClose={onClose} title={t('versions_of', { name: prompt.name })} size="lg" centered>
      <Stack gap="md">
        <FormAlert error={error} />
        <Loaded query={query}>
          {({ items }) => (
            <ol className={classes['versions']} reversed>
              {items.map((one) => (
                <li key={one.version} className={classes['version']}>
                  <Group justify="space-between" wrap="nowrap" gap="sm">
                    <Group gap="xs">
                      <Text size="sm" fw={600}>
                        {t('version', { version: one.version })}
                      </Text>
                      {one.version === newest ? (
                        <Badge variant="light" tt="none">
                          {t('current')}
                        </Badge>
                      ) : null}
                      <Text size="xs" c="dimmed">
                        {one.author ?? t('unknown_author')} · <RelativeTime at={one.created_at} />
                      </Text>
                    </Group>
                    {one.version === newest || !prompt.changes ? null : (
                      <Button
                        size="compact-sm"
                        variant="default"
                        leftSection={<IconHistory size={14} aria-hidden />}
                        loading={isPending && variables.version === one.version}
                        disabled={isPending}
                        onClick={() => mutate(one)}
                      >
                        {t('restore')}
                      </Button>
                    )}
                  </Group>
                  <pre className={classes['text']} lang="">
                    {one.content}
                  </pre>
                </li>
              ))}
            </ol>
          )}
        </Loaded>
      </Stack>
    </Modal>
  );
}
