import type { JSX } from 'preact';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { ActivityView } from './activity/activity-view.tsx';
import { BudgetView } from './budgets/budget-view.tsx';
import { BudgetsView } from './budgets/budgets-view.tsx';
import { CampaignView } from './campaigns/campaign-view.tsx';
import { CampaignsView } from './campaigns/campaigns-view.tsx';
import { ChartsView } from './charts/charts-view.tsx';
import { CouponView } from './coupons/coupon-view.tsx';
import { EventView } from './events/event-view.tsx';
import { EventsView } from './events/events-view.tsx';
import { ExplainView } from './explain/explain-view.tsx';
import { KeysView } from './keys/keys-view.tsx';
import { OrderView } from './sales/order-view.tsx';
import { SalesView } from './sales/sales-view.tsx';
import { KeyGate } from './shell/key-gate.tsx';
import { type Session, useSession } from './shell/session.tsx';
import { StartView } from './start/start-view.tsx';
import { Title } from './shell/title.tsx';
import { AskDialog } from './ui/ask.tsx';
import { Said } from './ui/said.tsx';
import { WebhookView } from './webhooks/webhook-view.tsx';
import { WebhooksView } from './webhooks/webhooks-view.tsx';

interface View {
  path: string;
  /** Other paths that belong to the view. */
  also?: readonly string[];
  title: string;
  view: () => JSX.Element;
}

/** The views, each with its path, title and component, in the order of the navigation. */
const VIEWS: readonly View[] = [
  { path: '/console/start', title: 'Start', view: StartView },
  { path: '/console/explain', title: 'Prices', view: ExplainView },
  {
    path: '/console/campaigns',
    also: ['/console/coupons', '/console/budgets'],
    title: 'Campaigns',
    view: CampaignsView,
  },
  { path: '/console/events', title: 'Events', view: EventsView },
  { path: '/console/sales', title: 'Sales', view: SalesView },
  { path: '/console/charts', title: 'Charts', view: ChartsView },
  { path: '/console/activity', title: 'Activity', view: ActivityView },
  { path: '/console/webhooks', title: 'Webhooks', view: WebhooksView },
  { path: '/console/keys', title: 'Keys', view: KeysView },
];

export function App() {
  return (
    <LocationProvider scope="/console">
      <KeyGate>
        <Shell />
      </KeyGate>
    </LocationProvider>
  );
}

function Shell() {
  const session = useSession();
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  const current =
    path === '/console'
      ? VIEWS[0]
      : VIEWS.find((view) => [view.path, ...(view.also ?? [])].some((place) => path.startsWith(place)));

  // Users of a screen reader or the keyboard continue in the new view, not at the link that led there.
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) main.current?.focus();
    shown.current = path;
  }, [path]);

  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="bar">
        <div class="bar-inside">
          <a class="brand" href="/console">
            <Logo />
            <span>Event Commerce</span>
          </a>
          <nav aria-label="Views">
            {VIEWS.map((view) => (
              <a key={view.path} href={view.path} aria-current={view === current ? 'page' : undefined}>
                {view.title}
              </a>
            ))}
          </nav>
          <KeyInUse session={session} />
        </div>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <Router>
          <Route path="/console" component={StartView} />
          {VIEWS.map(({ path: place, view }) => (
            <Route key={place} path={place} component={view} />
          ))}
          <Route path="/console/campaigns/:id" component={CampaignView} />
          <Route path="/console/coupons/:id" component={CouponView} />
          <Route path="/console/budgets" component={BudgetsView} />
          <Route path="/console/budgets/:id" component={BudgetView} />
          <Route path="/console/events/:id" component={EventView} />
          <Route path="/console/sales/orders/:id" component={OrderView} />
          <Route path="/console/webhooks/:id" component={WebhookView} />
          <Route default component={UnknownView} />
        </Router>
      </main>
      <Said />
      <AskDialog />
    </>
  );
}

function KeyInUse({ session }: { session: Session }) {
  return (
    <div class="key-in-use">
      {session.environment === 'test' && <span class="badge warn">test data</span>}
      <button type="button" class="quiet" onClick={() => session.forget()}>
        Forget key
      </button>
    </div>
  );
}

function UnknownView() {
  return (
    <>
      <Title text="Page not found" />
      <p>
        The address may be misspelt. <a href="/console">Go to the start</a>
      </p>
    </>
  );
}

function Logo() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#4f46e5" />
      <path
        d="M7 11a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v2.5a2.5 2.5 0 0 0 0 5V21a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-2.5a2.5 2.5 0 0 0 0-5z"
        fill="#fff"
      />
      <path d="M19 9.5v13" stroke="#4f46e5" stroke-width="2" stroke-dasharray="2.2 2" />
    </svg>
  );
}
