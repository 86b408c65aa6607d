import { type AgentNodeForm, type Test, comparisons } from '@ai-studio/contract/agents/definition.ts';
import { ActionIcon, Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { newTest } from '../model/kinds.ts';
import type { Scope } from '../model/references.ts';
import classes from './forms.module.css';
import { TemplateField } from './template-field.tsx';
import { useFieldError } from './use-field-error.ts';

interface Tests {
  readonly match: 'all' | 'any';
  readonly tests: readonly Test[];
}

interface TestsFieldProps {
  readonly node: AgentNodeForm;
  /** Of the list: `cases.0.tests`. */
  readonly path: string;
  readonly value: Tests;
  readonly onChange: (value: { match: 'all' | 'any'; tests: Test[] }) => void;
  readonly scope?: Scope;
  /** How few there may be. */
  readonly least: 0 | 1;
}

const oneSided = new Set<Test['op']>(['empty', 'not_empty']);
const MAX_TESTS = 10;

/** Comparisons, of which all or any must hold. */
export function TestsField({ node, path, value, onChange, scope = 'before', least }: TestsFieldProps) {
  const { t } = useTranslation('agentBuilder');
  const error = useFieldError(node);
  const { match, tests } = value;
  const set = (at: number, change: Partial<Test>) =>
    onChange({ match, tests: tests.map((test, place) => (place === at ? { ...test, ...change } : test)) });
  return (
    <Stack gap="xs">
      {tests.length < 2 ? null : (
        <SegmentedControl
          size="xs"
          aria-label={t('match')}
          value={match}
          onChange={(chosen) => onChange({ match: chosen === 'any' ? 'any' : 'all', tests: [...tests] })}
          data={[
            { value: 'all', label: t('match_all') },
            { value: 'any', label: t('match_any') },
          ]}
        />
      )}
      {tests.map((test, at) => (
        // Tests have no name but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className={classes['case']}>
          <Stack gap={8}>
            <Group justify="space-between" wrap="nowrap">
              <Text size="xs" c="dimmed">
                {t('test_number', { number: at + 1 })}
              </Text>
              {tests.length <= least ? null : (
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t('remove_test', { number: at + 1 })}
                  onClick={() => onChange({ match, tests: tests.filter((_test, place) => place !== at) })}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )}
            </Group>
            <TemplateField
              node={node}
              label={t('left')}
              minRows={1}
              maxLength={10_000}
              scope={scope}
              value={test.left}
              error={error(`${path}.${at}.left`)}
              onChange={(left) => set(at, { left })}
            />
            <Select
              size="xs"
              aria-label={t('comparison')}
              allowDeselect={false}
              data={comparisons.map((op) => ({ value: op, label: t(`comparisons.${op}`) }))}
              value={test.op}
              onChange={(op) => set(at, { op: comparisons.find((one) => one === op) ?? test.op })}
            />
            {oneSided.has(test.op) ? null : (
              <TemplateField
                node={node}
                label={t('right')}
                minRows={1}
                maxLength={10_000}
                scope={scope}
                value={test.right}
                error={error(`${path}.${at}.right`)}
                onChange={(right) => set(at, { right })}
              />
            )}
          </Stack>
        </div>
      ))}
      {tests.length >= MAX_TESTS ? null : (
        <Group>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange({ match, tests: [...tests, { ...newTest() }] })}
          >
            {t('add_test')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
