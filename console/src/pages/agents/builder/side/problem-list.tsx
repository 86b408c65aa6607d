import type { DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import { Alert, Badge, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../../../../parts/use-error-message.ts';
import classes from '../builder.module.css';
import { useBuilder } from '../context.ts';
import { nodeOf } from '../model/graph.ts';
import { useNodeLabels } from '../use-node-labels.ts';

interface ProblemListProps {
  /** Whether the service has looked. */
  readonly verified: boolean;
  readonly failure: unknown;
  readonly onOpen: (problem: DefinitionProblem) => void;
}

/** All that is wrong, each leading to where it is. */
export function ProblemList({ verified, failure, onOpen }: ProblemListProps) {
  const { t, i18n } = useTranslation('agentBuilder');
  const { definition, problems, options } = useBuilder();
  const words = useNodeLabels(options);
  const error = useErrorMessage();
  const detail = (problem: DefinitionProblem) =>
    i18n.language === 'en' && problem.message !== '' ? problem.message : words.problem(problem);
  return (
    <Stack gap="sm">
      {failure === null ? null : (
        <Alert color="orange" variant="light" role="alert">
          {t('not_checked', { reason: error(failure) })}
        </Alert>
      )}
      {problems.length === 0 ? (
        <Group gap="xs" wrap="nowrap">
          <IconCircleCheck size={18} aria-hidden />
          <Text size="sm">{verified ? t('no_problems') : t('checking')}</Text>
        </Group>
      ) : null}
      <ul className={classes['kinds']}>
        {problems.map((problem) => {
          const node = nodeOf(definition, problem.node);
          return (
            <li key={`${problem.node ?? ''} ${problem.field ?? ''} ${problem.code} ${problem.message}`}>
              <UnstyledButton className={classes['problem'] ?? ''} onClick={() => onOpen(problem)}>
                <IconAlertTriangle
                  size={16}
                  className={classes['sign'] ?? ''}
                  data-severity={problem.severity}
                  aria-hidden
                />
                <span className={classes['lineText']}>
                  <Group gap={6} component="span">
                    <Text size="sm" fw={600} span>
                      {node === undefined ? t('whole') : words.name(node)}
                    </Text>
                    {problem.severity === 'warning' ? (
                      <Badge size="xs" variant="light" color="orange" tt="none" component="span">
                        {t('warning')}
                      </Badge>
                    ) : null}
                  </Group>
                  <Text size="xs" span display="block">
                    {detail(problem)}
                  </Text>
                  {problem.field === null ? null : (
                    <Text size="xs" c="dimmed" span display="block">
                      {problem.field}
                    </Text>
                  )}
                </span>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </Stack>
  );
}
