import { Button, Drawer, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShellPage } from '../../app/page-permissions.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { Loaded } from '../loaded.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { type GuidePlace, guidePages } from './guide-pages.ts';
import { guideOfAddress, sectionOf } from './guide-text.ts';
import { guideNames, loadGuide, type LoadedGuide } from './guides.ts';

interface GuideViewProps {
  readonly guide: LoadedGuide;
  readonly section: GuidePlace['section'];
  readonly onPlace: (place: Partial<GuidePlace>) => void;
}

function GuideView({ guide, section, onPlace }: GuideViewProps) {
  const { t } = useTranslation('guides');
  const part = section === null ? null : sectionOf(guide, section[guide.language]);
  // Links of guides open here, whatever they look like to the browser.
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    const name = guideOfAddress(link?.href ?? '');
    if (name === null) return;
    event.preventDefault();
    onPlace({ guide: name, section: null });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- catches the clicks of the links within
    <div lang={guide.language} onClickCapture={follow}>
      <Markdown text={part ?? guide.text} />
      {part === null ? null : (
        <Button mt="md" size="xs" variant="default" onClick={() => onPlace({ section: null })}>
          {t('whole')}
        </Button>
      )}
    </div>
  );
}

interface HelpDrawerProps {
  readonly page: ShellPage;
  readonly onClose: () => void;
}

/** The guides beside the page: the one about it first. */
export function HelpDrawer({ page, onClose }: HelpDrawerProps) {
  const { t, i18n } = useTranslation('guides');
  const language = i18n.language === 'ko' ? 'ko' : 'en';
  const ready = useLazyNamespace('guides');
  const [place, setPlace] = useState(guidePages[page]);
  const query = useQuery({
    queryKey: ['guide', place.guide, language],
    queryFn: () => loadGuide(place.guide, language),
    staleTime: 'static',
  });
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={ready ? t('title') : ''}>
      <Stack gap="md">
        <Select
          aria-label={t('guide')}
          allowDeselect={false}
          data={guideNames.map((name) => ({ value: name, label: t(`guides.${name}` as 'guides.console') }))}
          value={place.guide}
          onChange={(guide) => setPlace({ guide: guide ?? place.guide, section: null })}
        />
        <Loaded query={query}>
          {(guide) =>
            guide === null ? null : (
              <GuideView
                guide={guide}
                section={place.section}
                onPlace={(change) => setPlace((before) => ({ ...before, ...change }))}
              />
            )
          }
        </Loaded>
      </Stack>
    </Drawer>
  );
}
