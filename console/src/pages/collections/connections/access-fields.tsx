import type { Connector } from '@ai-studio/contract/retrieval/connector.ts';
import { Radio, Stack, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** For whom documents of a source are; null: nobody has said so yet. */
export type AccessChoice = Connector['access'] | null;

interface AccessProps {
  readonly access: AccessChoice;
  /** A line for each group, as {@link groupsIn} reads them. */
  readonly groups: string;
  readonly onAccess: (access: Connector['access']) => void;
  readonly onGroups: (groups: string) => void;
}

/** Groups as lines: the name, a colon, addresses with commas between. */
export const groupLines = (groups: Connector['groups']): string =>
  groups.map(({ name, members }) => `${name}: ${members.join(', ')}`).join('\n');

/** What is written in such lines. A name may hold colons: the last one parts it from the addresses. */
export function groupsIn(text: string): Connector['groups'] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, name = line, members = ''] = /^(.*):(.*)$/u.exec(line) ?? [];
    return { name: name.trim(), members: members.split(/[\s,;]+/u).filter((one) => one !== '') };
  });
}

/** Asks for whom documents of a source are that tells who may read them. */
export function AccessFields({ access, groups, onAccess, onGroups }: AccessProps) {
  const { t } = useTranslation('connections');
  return (
    <>
      <Radio.Group
        label={t('access')}
        description={t('access_hint')}
        required
        value={access}
        onChange={(value) => onAccess(value === 'source' ? 'source' : 'collection')}
      >
        <Stack gap="xs" mt="xs">
          {(['source', 'collection'] as const).map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`access_choices.${one}`)}
              description={t(`access_choice_hints.${one}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {access === 'source' ? (
        <Textarea
          label={t('groups')}
          description={t('groups_hint')}
          placeholder="hr@example.kr: kim@example.kr, lee@example.kr"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={100_000}
          spellCheck={false}
          value={groups}
          onChange={({ currentTarget }) => onGroups(currentTarget.value)}
        />
      ) : null}
    </>
  );
}
