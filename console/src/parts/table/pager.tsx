import { Group, Pagination } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface PagerProps {
  /** What is listed, for those who do not see it. */
  readonly label: string;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
  /** Where it stands in its line. */
  readonly justify?: 'flex-end' | 'center';
}

/** Leads to the pages of a list. Nothing where one page holds it all. */
export function Pager({ label, page, pages, onPage, justify = 'flex-end' }: PagerProps) {
  const { t } = useTranslation('parts');
  if (pages < 2) return null;
  return (
    <Group component="nav" justify={justify} aria-label={t('pages_of', { label })}>
      <Pagination
        size="sm"
        total={pages}
        value={page}
        onChange={onPage}
        getControlProps={(control) =>
          control === 'next' || control === 'previous' ? { 'aria-label': t(`${control}_page`) } : {}
        }
      />
    </Group>
  );
}
