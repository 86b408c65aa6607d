/**
 * What authors call the parts around a text (`class`, `id`), in English, German and as sites of Korea do; words of a name that stand apart
 * there (`family-site`, `familySite`) are written together here.
 */
export const asideNames: ReadonlySet<string> = new Set(
  [
    // Ways through a site.
    'nav navbar navigation menu submenu subnav topnav sidenav sidemenu footnav sitemap toolbar breadcrumb breadcrumbs pagination pager',
    'gnb lnb snb fnb tnb navi quick quickmenu quicklinks familysite pagenavi paginate paging prevnext util topmenu toputil',
    'skip skiplist skiplinks skipmenu skipnav skipnavi skipnavigation sknavi screenreader',
    // What belongs to the site.
    'sidebar widgets footer masthead colophon copyright skiptranslate',
    'login signup search searchform cookie cookies consent newsletter subscribe subscription',
    'popup popups popupzone layerpopup toast tooltip dimmed',
    'promo promos promotion promotions advert adverts advertisement outbrain taboola',
    // What others say and do.
    'comments commentlist commentform commentarea respond disqus kommentar kommentare cmt cmteditor bovc bovcw',
    'share sharing sharebar sharedaddy addtoany social socials sns bovshare reaction reactions satisfaction',
    // What else there is to read.
    'related relatedposts recommended recommendations popular trending mostread morearticles recentlyviewed anothercategory bovnb',
    'tags taglist tagcloud authorbox authorbio',
  ].flatMap((line) => line.split(' ')),
);
