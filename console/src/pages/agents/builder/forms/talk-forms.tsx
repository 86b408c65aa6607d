import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import { Switch, TagsInput, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';
import { AnswerPartsField } from './answer-parts-field.tsx';
import { TemplateField } from './template-field.tsx';
import { useField } from './use-field.ts';

interface FormProps<K extends 'input' | 'ask' | 'answer'> {
  readonly node: NodeOf<K>;
}

/** Where a run begins. */
export function InputForm({ node }: FormProps<'input'>) {
  const { t } = useTranslation('agentBuilder');
  const { change } = useBuilder();
  return (
    <>
      <Switch
        label={t('fields.files')}
        description={t('fields.files_hint')}
        checked={node.files}
        onChange={({ currentTarget: { checked } }) => change(node, { files: checked }, 'files')}
      />
      <Textarea
        label={t('fields.greeting')}
        description={t('fields.greeting_hint')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        value={node.greeting}
        onChange={({ currentTarget: { value } }) => change(node, { greeting: value }, 'greeting')}
      />
      <TagsInput
        label={t('fields.examples')}
        description={t('fields.examples_hint')}
        maxTags={6}
        splitChars={[]}
        value={node.examples}
        onChange={(examples) =>
          change(node, { examples: examples.map((one) => one.trim().slice(0, 300)).filter(Boolean) }, 'examples')
        }
      />
    </>
  );
}

/** Asks the person back. */
export function AskForm({ node }: FormProps<'ask'>) {
  const { t } = useTranslation('agentBuilder');
  const field = useField(node);
  return (
    <TemplateField
      node={node}
      label={t('fields.question')}
      description={t('fields.question_hint')}
      minRows={3}
      maxLength={10_000}
      {...field('question')}
    />
  );
}

/** What the caller gets. */
export function AnswerForm({ node }: FormProps<'answer'>) {
  const { t } = useTranslation('agentBuilder');
  const { change } = useBuilder();
  const field = useField(node);
  return (
    <>
      <TemplateField
        node={node}
        label={t('fields.answer_text')}
        description={t('fields.answer_text_hint')}
        minRows={4}
        {...field('text')}
      />
      <Switch
        label={t('fields.citations')}
        description={t('fields.citations_hint')}
        checked={node.citations}
        onChange={({ currentTarget: { checked } }) => change(node, { citations: checked }, 'citations')}
      />
      <AnswerPartsField node={node} />
    </>
  );
}
