import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';
import { replaceCases } from '../model/edit.ts';
import { nodeOf } from '../model/graph.ts';
import { freeId, newTest } from '../model/kinds.ts';
import classes from './forms.module.css';
import { CommitInput } from './commit-input.tsx';
import { NumberField } from './number-field.tsx';
import { ReferenceField } from './reference-field.tsx';
import { TemplateField } from './template-field.tsx';
import { TestsField } from './tests-field.tsx';
import { useField } from './use-field.ts';
import { useFieldError } from './use-field-error.ts';

/** Names of branches and variables. */
const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const MAX_CASES = 10;
const MAX_VARIABLES = 10;

function swapped<T>(list: readonly T[], at: number, by: number): T[] {
  const next = [...list];
  const [one, other] = [next[at], next[at + by]];
  if (one !== undefined && other !== undefined) {
    next[at] = other;
    next[at + by] = one;
  }
  return next;
}

/** Goes on at the first case that holds. */
export function ConditionForm({ node }: { readonly node: NodeOf<'condition'> }) {
  const { t } = useTranslation('agentBuilder');
  const { edit } = useBuilder();
  const { cases } = node;
  const set = (next: NodeOf<'condition'>['cases'], what?: string) =>
    edit(
      ({ definition }) => {
        const now = nodeOf(definition, node.id);
        return { definition: now?.kind === 'condition' ? replaceCases(definition, now, next) : definition };
      },
      what === undefined ? undefined : `${node.id}.${what}`,
    );
  const names = cases.map(({ branch }) => branch);
  const validate = (own: string) => (name: string) => {
    if (!NAME.test(name)) return t('name_rule');
    return name === 'else' || (name !== own && names.includes(name)) ? t('name_taken') : null;
  };
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('fields.cases_hint')}
      </Text>
      {cases.map((one, at) => (
        <fieldset key={one.branch} className={classes['case']} aria-label={t('case_number', { number: at + 1 })}>
          <Stack gap="sm">
            <Group justify="space-between" wrap="nowrap" align="flex-end" gap={4}>
              <CommitInput
                flex={1}
                size="xs"
                label={t('fields.branch')}
                value={one.branch}
                validate={validate(one.branch)}
                onCommit={(branch) => set(cases.map((other, place) => (place === at ? { ...other, branch } : other)))}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={at === 0}
                aria-label={t('case_up', { name: one.branch })}
                onClick={() => set(swapped(cases, at, -1))}
              >
                <IconArrowUp size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={at === cases.length - 1}
                aria-label={t('case_down', { name: one.branch })}
                onClick={() => set(swapped(cases, at, 1))}
              >
                <IconArrowDown size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={cases.length === 1}
                aria-label={t('remove_case', { name: one.branch })}
                onClick={() => set(cases.filter((_case, place) => place !== at))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Group>
            <TestsField
              node={node}
              path={`cases.${at}.tests`}
              value={one}
              least={1}
              onChange={(change) =>
                set(
                  cases.map((other, place) => (place === at ? { ...other, ...change } : other)),
                  `cases.${at}`,
                )
              }
            />
          </Stack>
        </fieldset>
      ))}
      {cases.length >= MAX_CASES ? null : (
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => set([...cases, { branch: freeId(names, 'case'), match: 'all', tests: [{ ...newTest() }] }])}
          >
            {t('add_case')}
          </Button>
        </Group>
      )}
    </>
  );
}

/** Once for each item of a list. */
export function ParallelForm({ node }: { readonly node: NodeOf<'parallel'> }) {
  const { t } = useTranslation('agentBuilder');
  const field = useField(node);
  return (
    <>
      <ReferenceField
        node={node}
        open
        label={t('fields.items')}
        description={t('fields.items_hint')}
        wanted={['list', 'files', 'passages']}
        {...field('items')}
      />
      <TemplateField
        node={node}
        label={t('fields.result')}
        description={t('fields.result_hint')}
        maxLength={20_000}
        scope="inside"
        {...field('result')}
      />
      <Group grow align="flex-start">
        <NumberField label={t('fields.at_once')} min={1} max={8} {...field('at_once')} />
        <NumberField label={t('fields.most_items')} min={1} max={100} {...field('most')} />
      </Group>
    </>
  );
}

function VariablesField({ node }: { readonly node: NodeOf<'loop'> }) {
  const { t } = useTranslation('agentBuilder');
  const { change } = useBuilder();
  const error = useFieldError(node);
  const { variables } = node;
  const names = variables.map(({ name }) => name);
  const set = (at: number, next: Partial<(typeof variables)[number]>, field: string) =>
    change(
      node,
      { variables: variables.map((one, place) => (place === at ? { ...one, ...next } : one)) },
      `variables.${at}.${field}`,
    );
  const validate = (own: string) => (name: string) => {
    if (!NAME.test(name)) return t('name_rule');
    return ['index', 'count'].includes(name) || (name !== own && names.includes(name)) ? t('name_taken') : null;
  };
  return (
    <Stack gap="xs" role="group" aria-label={t('fields.variables')}>
      <Text size="sm" fw={500}>
        {t('fields.variables')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('fields.variables_hint')}
      </Text>
      {variables.map((one, at) => (
        <fieldset key={one.name} className={classes['case']} aria-label={one.name}>
          <Stack gap="xs">
            <Group wrap="nowrap" align="flex-end" gap={4}>
              <CommitInput
                flex={1}
                size="xs"
                label={t('fields.variable_name')}
                value={one.name}
                validate={validate(one.name)}
                error={error(`variables.${at}.name`)}
                onCommit={(name) => set(at, { name }, 'name')}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('remove_variable', { name: one.name })}
                onClick={() =>
                  change(node, { variables: variables.filter((_one, place) => place !== at) }, 'variables')
                }
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Group>
            <TemplateField
              node={node}
              label={t('fields.first')}
              minRows={1}
              maxLength={20_000}
              value={one.first}
              error={error(`variables.${at}.first`)}
              onChange={(first) => set(at, { first }, 'first')}
            />
            <TemplateField
              node={node}
              label={t('fields.next')}
              minRows={1}
              maxLength={20_000}
              scope="inside"
              value={one.next}
              error={error(`variables.${at}.next`)}
              onChange={(next) => set(at, { next }, 'next')}
            />
          </Stack>
        </fieldset>
      ))}
      {variables.length >= MAX_VARIABLES ? null : (
        <Group>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() =>
              change(
                node,
                { variables: [...variables, { name: freeId(names, 'value'), first: '', next: '' }] },
                'variables',
              )
            }
          >
            {t('add_variable')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Again and again, until something holds. */
export function LoopForm({ node }: { readonly node: NodeOf<'loop'> }) {
  const { t } = useTranslation('agentBuilder');
  const { change } = useBuilder();
  const field = useField(node);
  return (
    <>
      <NumberField label={t('fields.most_times')} min={1} max={50} {...field('most')} />
      <VariablesField node={node} />
      <Stack gap="xs" role="group" aria-label={t('fields.until')}>
        <Text size="sm" fw={500}>
          {t('fields.until')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('fields.until_hint')}
        </Text>
        <TestsField
          node={node}
          path="until.tests"
          value={node.until}
          scope="inside"
          least={0}
          onChange={(until) => change(node, { until }, 'until')}
        />
      </Stack>
    </>
  );
}
