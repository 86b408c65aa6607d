import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from './use-format.ts';

interface PageStepsProps {
  /** In their order; numbers may be left out. */
  readonly pages: readonly { readonly number: number }[];
  /** Number of the page that is shown. */
  readonly page: number;
  readonly onPage: (number: number) => void;
}

function PageNumber({ pages, page, onPage }: PageStepsProps) {
  const { t } = useTranslation('parts');
  const { number } = useFormat();
  const [typed, setTyped] = useState(String(page));
  const last = pages.at(-1)?.number ?? 1;
  const go = () => {
    if (typed !== '' && pages.some((one) => one.number === Number(typed))) onPage(Number(typed));
    else setTyped(String(page));
  };
  return (
    <Group gap={6} wrap="nowrap">
      <TextInput
        aria-label={t('go_to')}
        size="xs"
        w="4.25rem"
        inputMode="numeric"
        maxLength={9}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value.replaceAll(/\D/g, ''))}
        onBlur={go}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go();
        }}
      />
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {t('of_total', { total: number(last) })}
      </Text>
    </Group>
  );
}

/** The way from page to page of a document: the one before, a number that is typed, the next one. */
export function PageSteps({ pages, page, onPage }: PageStepsProps) {
  const { t } = useTranslation('parts');
  const at = pages.findIndex(({ number }) => number === page);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  return (
    <>
      <ActionIcon
        variant="default"
        aria-label={t('previous_page')}
        disabled={before === undefined}
        onClick={() => before && onPage(before.number)}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <PageNumber key={page} pages={pages} page={page} onPage={onPage} />
      <ActionIcon
        variant="default"
        aria-label={t('next_page')}
        disabled={after === undefined}
        onClick={() => after && onPage(after.number)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}
