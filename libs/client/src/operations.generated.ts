// Generated from the OpenAPI document: change that, then run `npm run generate` in libs/client.

import type { Body, Listed, Options, Query, Received } from './operation-types.ts';

export interface Operations {
  events: {
    /** Create an event: `POST /v1/events`. */
    create(body: Body<'createEvent'>, options?: Options<'createEvent'>): Received<'createEvent'>;
    /** List events: `GET /v1/events`. */
    list(query?: Query<'listEvents'>, options?: Options<'listEvents'>): Listed<'listEvents'>;
    /** Read an event: `GET /v1/events/{id}`. */
    get(id: string, query?: Query<'getEvent'>, options?: Options<'getEvent'>): Received<'getEvent'>;
    /** Change an event: `PATCH /v1/events/{id}`. */
    update(id: string, body: Body<'updateEvent'>, options?: Options<'updateEvent'>): Received<'updateEvent'>;
    /** Create an instance of a series: `POST /v1/events/{seriesId}/instances`. */
    createInstance(
      seriesId: string,
      body?: Body<'createInstance'>,
      options?: Options<'createInstance'>,
    ): Received<'createInstance'>;
    /** Change many dates of a series: `PATCH /v1/events/{seriesId}/instances`. */
    updateInstances(
      seriesId: string,
      body: Body<'updateInstances'>,
      options?: Options<'updateInstances'>,
    ): Received<'updateInstances'>;
    /** Create the dates of a series by a rule: `POST /v1/events/{seriesId}/instances/by-rule`. */
    createInstancesByRule(
      seriesId: string,
      body: Body<'createInstancesByRule'>,
      options?: Options<'createInstancesByRule'>,
    ): Received<'createInstancesByRule'>;
    /** See how far work on many dates is: `GET /v1/events/{seriesId}/date-jobs/{jobId}`. */
    getInstancesJob(seriesId: string, jobId: string, options?: Options<'getInstancesJob'>): Received<'getInstancesJob'>;
    /** Change an instance: `PATCH /v1/events/{seriesId}/instances/{instanceId}`. */
    updateInstance(
      seriesId: string,
      instanceId: string,
      body: Body<'updateInstance'>,
      options?: Options<'updateInstance'>,
    ): Received<'updateInstance'>;
    /** Revert instance fields to parent values: `POST /v1/events/{seriesId}/instances/{instanceId}/revert`. */
    revertInstance(
      seriesId: string,
      instanceId: string,
      body: Body<'revertInstance'>,
      options?: Options<'revertInstance'>,
    ): Received<'revertInstance'>;
    /** Create a purchase group: `POST /v1/events/{id}/purchase-groups`. */
    createPurchaseGroup(
      id: string,
      body: Body<'createPurchaseGroup'>,
      options?: Options<'createPurchaseGroup'>,
    ): Received<'createPurchaseGroup'>;
    /** List purchase groups: `GET /v1/events/{id}/purchase-groups`. */
    listPurchaseGroups(
      id: string,
      query?: Query<'listPurchaseGroups'>,
      options?: Options<'listPurchaseGroups'>,
    ): Listed<'listPurchaseGroups'>;
    /** Merge two purchase groups: `POST /v1/events/{id}/purchase-groups/{pgid}/merge`. */
    mergePurchaseGroups(
      id: string,
      pgid: string,
      body: Body<'mergePurchaseGroups'>,
      options?: Options<'mergePurchaseGroups'>,
    ): Received<'mergePurchaseGroups'>;
    /** Read a purchase group: `GET /v1/events/{id}/purchase-groups/{pgid}`. */
    getPurchaseGroup(id: string, pgid: string, options?: Options<'getPurchaseGroup'>): Received<'getPurchaseGroup'>;
    /** Change a purchase group: `PATCH /v1/events/{id}/purchase-groups/{pgid}`. */
    updatePurchaseGroup(
      id: string,
      pgid: string,
      body: Body<'updatePurchaseGroup'>,
      options?: Options<'updatePurchaseGroup'>,
    ): Received<'updatePurchaseGroup'>;
    /** Delete a purchase group: `DELETE /v1/events/{id}/purchase-groups/{pgid}`. */
    deletePurchaseGroup(
      id: string,
      pgid: string,
      options?: Options<'deletePurchaseGroup'>,
    ): Received<'deletePurchaseGroup'>;
    /** Call off an event: `POST /v1/events/{id}/call-off`. */
    callOff(id: string, body: Body<'callOffEvent'>, options?: Options<'callOffEvent'>): Received<'callOffEvent'>;
    /** See how far a call-off is: `GET /v1/events/{id}/call-off`. */
    getCallOff(id: string, options?: Options<'getCallOff'>): Received<'getCallOff'>;
    /** List the orders of a called-off event: `GET /v1/events/{id}/call-off/orders`. */
    listCalledOffOrders(
      id: string,
      query?: Query<'listCalledOffOrders'>,
      options?: Options<'listCalledOffOrders'>,
    ): Listed<'listCalledOffOrders'>;
    /** Undo a call-off: `POST /v1/events/{id}/call-off/undo`. */
    undoCallOff(id: string, body?: Body<'undoCallOff'>, options?: Options<'undoCallOff'>): Received<'undoCallOff'>;
  };
  offerings: {
    /** Create an offering: `POST /v1/events/{id}/offerings`. */
    create(id: string, body: Body<'createOffering'>, options?: Options<'createOffering'>): Received<'createOffering'>;
    /** List the offerings of an event: `GET /v1/events/{id}/offerings`. */
    list(id: string, query?: Query<'listOfferings'>, options?: Options<'listOfferings'>): Listed<'listOfferings'>;
    /** Read an offering: `GET /v1/offerings/{id}`. */
    get(id: string, options?: Options<'getOffering'>): Received<'getOffering'>;
    /** Change an offering: `PATCH /v1/offerings/{id}`. */
    update(id: string, body: Body<'updateOffering'>, options?: Options<'updateOffering'>): Received<'updateOffering'>;
  };
  pricing: {
    /** Create a budget: `POST /v1/pricing/budgets`. */
    createBudget(body: Body<'createBudget'>, options?: Options<'createBudget'>): Received<'createBudget'>;
    /** List budgets: `GET /v1/pricing/budgets`. */
    listBudgets(query?: Query<'listBudgets'>, options?: Options<'listBudgets'>): Listed<'listBudgets'>;
    /** Read a budget: `GET /v1/pricing/budgets/{budgetId}`. */
    getBudget(budgetId: string, query?: Query<'getBudget'>, options?: Options<'getBudget'>): Received<'getBudget'>;
    /** Change a budget: `PATCH /v1/pricing/budgets/{budgetId}`. */
    updateBudget(
      budgetId: string,
      body: Body<'updateBudget'>,
      options?: Options<'updateBudget'>,
    ): Received<'updateBudget'>;
    /** Create a price adjustment: `POST /v1/pricing/adjustments`. */
    createAdjustment(
      body: Body<'createAdjustment'>,
      options?: Options<'createAdjustment'>,
    ): Received<'createAdjustment'>;
    /** List price adjustments: `GET /v1/pricing/adjustments`. */
    listAdjustments(query?: Query<'listAdjustments'>, options?: Options<'listAdjustments'>): Listed<'listAdjustments'>;
    /** Read a price adjustment: `GET /v1/pricing/adjustments/{id}`. */
    getAdjustment(id: string, options?: Options<'getAdjustment'>): Received<'getAdjustment'>;
    /** Change a price adjustment: `PATCH /v1/pricing/adjustments/{id}`. */
    updateAdjustment(
      id: string,
      body: Body<'updateAdjustment'>,
      options?: Options<'updateAdjustment'>,
    ): Received<'updateAdjustment'>;
    /** Archive a price adjustment: `DELETE /v1/pricing/adjustments/{id}`. */
    archiveAdjustment(id: string, options?: Options<'archiveAdjustment'>): Received<'archiveAdjustment'>;
    /** Evaluate price adjustments for an offering: `POST /v1/pricing/adjustments/evaluate`. */
    evaluateAdjustments(
      body: Body<'evaluateAdjustments'>,
      options?: Options<'evaluateAdjustments'>,
    ): Received<'evaluateAdjustments'>;
    /** Redeem an adjustment for an order in another system: `POST /v1/pricing/adjustments/{id}/redemptions`. */
    redeemAdjustment(
      id: string,
      body: Body<'redeemAdjustment'>,
      options?: Options<'redeemAdjustment'>,
    ): Received<'redeemAdjustment'>;
    /** List the redemptions of an adjustment: `GET /v1/pricing/adjustments/{id}/redemptions`. */
    listRedemptions(
      id: string,
      query?: Query<'listRedemptions'>,
      options?: Options<'listRedemptions'>,
    ): Listed<'listRedemptions'>;
    /** Release a redemption: `DELETE /v1/pricing/adjustments/{id}/redemptions/{redemptionId}`. */
    releaseRedemption(
      id: string,
      redemptionId: string,
      options?: Options<'releaseRedemption'>,
    ): Received<'releaseRedemption'>;
    /** Rehearse a campaign: `POST /v1/pricing/rehearsals`. */
    createRehearsal(body: Body<'createRehearsal'>, options?: Options<'createRehearsal'>): Received<'createRehearsal'>;
    /** Read a rehearsal: `GET /v1/pricing/rehearsals/{rehearsalId}`. */
    getRehearsal(rehearsalId: string, options?: Options<'getRehearsal'>): Received<'getRehearsal'>;
  };
  coupons: {
    /** Create a coupon: `POST /v1/coupons`. */
    create(body: Body<'createCoupon'>, options?: Options<'createCoupon'>): Received<'createCoupon'>;
    /** List coupons: `GET /v1/coupons`. */
    list(query?: Query<'listCoupons'>, options?: Options<'listCoupons'>): Listed<'listCoupons'>;
    /** Read a coupon: `GET /v1/coupons/{id}`. */
    get(id: string, options?: Options<'getCoupon'>): Received<'getCoupon'>;
    /** Update a coupon: `PATCH /v1/coupons/{id}`. */
    update(id: string, body: Body<'updateCoupon'>, options?: Options<'updateCoupon'>): Received<'updateCoupon'>;
    /** Archive a coupon: `DELETE /v1/coupons/{id}`. */
    archive(id: string, options?: Options<'archiveCoupon'>): Received<'archiveCoupon'>;
    /** Issue codes: `POST /v1/coupons/{id}/codes`. */
    issueCodes(id: string, body: Body<'issueCodes'>, options?: Options<'issueCodes'>): Received<'issueCodes'>;
    /** List or export issued codes: `GET /v1/coupons/{id}/codes`. */
    listCodes(id: string, query?: Query<'listCodes'>, options?: Options<'listCodes'>): Listed<'listCodes'>;
    /** List batches of codes: `GET /v1/coupons/{id}/codes/batches`. */
    listCodeBatches(
      id: string,
      query?: Query<'listCodeBatches'>,
      options?: Options<'listCodeBatches'>,
    ): Listed<'listCodeBatches'>;
    /** Read a batch of codes: `GET /v1/coupons/{id}/codes/batches/{batchId}`. */
    getCodeBatch(id: string, batchId: string, options?: Options<'getCodeBatch'>): Received<'getCodeBatch'>;
    /** Revoke a batch of codes: `DELETE /v1/coupons/{id}/codes/batches/{batchId}`. */
    revokeCodeBatch(id: string, batchId: string, options?: Options<'revokeCodeBatch'>): Received<'revokeCodeBatch'>;
    /** Read an issued code: `GET /v1/coupons/{id}/codes/{code}`. */
    getCode(id: string, code: string, options?: Options<'getCode'>): Received<'getCode'>;
    /** Revoke an issued code: `DELETE /v1/coupons/{id}/codes/{code}`. */
    revokeCode(id: string, code: string, options?: Options<'revokeCode'>): Received<'revokeCode'>;
  };
  carts: {
    /** Create a cart session: `POST /v1/cart/sessions`. */
    createSession(
      body?: Body<'createCartSession'>,
      options?: Options<'createCartSession'>,
    ): Received<'createCartSession'>;
    /** List cart sessions: `GET /v1/cart/sessions`. */
    listSessions(query?: Query<'listCartSessions'>, options?: Options<'listCartSessions'>): Listed<'listCartSessions'>;
    /** Add, update or remove a cart item: `POST /v1/cart/sessions/{id}/item`. */
    setItem(id: string, body: Body<'setCartItem'>, options?: Options<'setCartItem'>): Received<'setCartItem'>;
    /** Update a cart session: `PATCH /v1/cart/sessions/{id}`. */
    updateSession(
      id: string,
      body: Body<'updateCartSession'>,
      options?: Options<'updateCartSession'>,
    ): Received<'updateCartSession'>;
    /** Read a cart session: `GET /v1/cart/sessions/{id}`. */
    getSession(id: string, options?: Options<'getCartSession'>): Received<'getCartSession'>;
    /** Create a table commitment: `POST /v1/cart/table-commitments`. */
    createTableCommitment(
      body: Body<'createTableCommitment'>,
      options?: Options<'createTableCommitment'>,
    ): Received<'createTableCommitment'>;
    /** List table commitments: `GET /v1/cart/table-commitments`. */
    listTableCommitments(
      query?: Query<'listTableCommitments'>,
      options?: Options<'listTableCommitments'>,
    ): Listed<'listTableCommitments'>;
    /** Join a table commitment: `POST /v1/cart/sessions/{id}/join-table`. */
    joinTable(id: string, body: Body<'joinTable'>, options?: Options<'joinTable'>): Received<'joinTable'>;
    /** Leave a table commitment: `POST /v1/cart/sessions/{id}/leave-table`. */
    leaveTable(id: string, options?: Options<'leaveTable'>): Received<'leaveTable'>;
    /** Read a table commitment: `GET /v1/cart/table-commitments/{id}`. */
    getTableCommitment(id: string, options?: Options<'getTableCommitment'>): Received<'getTableCommitment'>;
    /** Change the number of seats of a table commitment: `PATCH /v1/cart/table-commitments/{id}`. */
    updateTableCommitment(
      id: string,
      body: Body<'updateTableCommitment'>,
      options?: Options<'updateTableCommitment'>,
    ): Received<'updateTableCommitment'>;
    /** Close a table commitment: `POST /v1/cart/table-commitments/{id}/close`. */
    closeTableCommitment(id: string, options?: Options<'closeTableCommitment'>): Received<'closeTableCommitment'>;
  };
  orders: {
    /** Create an order: `POST /v1/orders`. */
    create(body: Body<'createOrder'>, options?: Options<'createOrder'>): Received<'createOrder'>;
    /** List orders: `GET /v1/orders`. */
    list(query?: Query<'listOrders'>, options?: Options<'listOrders'>): Listed<'listOrders'>;
    /** Read an order: `GET /v1/orders/{id}`. */
    get(id: string, options?: Options<'getOrder'>): Received<'getOrder'>;
    /** Update an order: `PATCH /v1/orders/{id}`. */
    update(id: string, body: Body<'updateOrder'>, options?: Options<'updateOrder'>): Received<'updateOrder'>;
    /** Give a pending order more time: `POST /v1/orders/{id}/extend`. */
    extend(id: string, body: Body<'extendOrder'>, options?: Options<'extendOrder'>): Received<'extendOrder'>;
    /** Confirm a pending order: `POST /v1/orders/{id}/confirm`. */
    confirm(id: string, body?: Body<'confirmOrder'>, options?: Options<'confirmOrder'>): Received<'confirmOrder'>;
    /** Preview a change of what an order bought: `POST /v1/orders/{id}/amendments/preview`. */
    previewAmendment(
      id: string,
      body: Body<'previewAmendment'>,
      options?: Options<'previewAmendment'>,
    ): Received<'previewAmendment'>;
    /** Change what an order bought: `POST /v1/orders/{id}/amendments`. */
    amend(id: string, body: Body<'amendOrder'>, options?: Options<'amendOrder'>): Received<'amendOrder'>;
    /** List the changes of an order: `GET /v1/orders/{id}/amendments`. */
    listAmendments(
      id: string,
      query?: Query<'listAmendments'>,
      options?: Options<'listAmendments'>,
    ): Listed<'listAmendments'>;
    /** Apply a pending change of an order: `POST /v1/orders/{id}/amendments/{amendmentId}/confirm`. */
    confirmAmendment(
      id: string,
      amendmentId: string,
      options?: Options<'confirmAmendment'>,
    ): Received<'confirmAmendment'>;
    /** Cancel a pending change of an order: `POST /v1/orders/{id}/amendments/{amendmentId}/cancel`. */
    cancelAmendment(id: string, amendmentId: string, options?: Options<'cancelAmendment'>): Received<'cancelAmendment'>;
    /** Read a change of an order: `GET /v1/orders/{id}/amendments/{amendmentId}`. */
    getAmendment(id: string, amendmentId: string, options?: Options<'getAmendment'>): Received<'getAmendment'>;
    /** Cancel an order: `POST /v1/orders/{id}/cancel`. */
    cancel(id: string, options?: Options<'cancelOrder'>): Received<'cancelOrder'>;
    /** Reopen an order: `POST /v1/orders/{id}/reopen`. */
    reopen(id: string, body?: Body<'reopenOrder'>, options?: Options<'reopenOrder'>): Received<'reopenOrder'>;
  };
  sales: {
    /** Count sales over time: `GET /v1/sales`. */
    get(query: Query<'getSales'>, options?: Options<'getSales'>): Received<'getSales'>;
    /** Count redemptions over time: `GET /v1/sales/adjustments`. */
    getByAdjustment(
      query: Query<'getSalesByAdjustment'>,
      options?: Options<'getSalesByAdjustment'>,
    ): Received<'getSalesByAdjustment'>;
  };
  activity: {
    /** List what happened: `GET /v1/activity`. */
    list(query?: Query<'listActivity'>, options?: Options<'listActivity'>): Listed<'listActivity'>;
  };
  webhooks: {
    /** Create a webhook: `POST /v1/webhooks`. */
    create(body: Body<'createWebhook'>, options?: Options<'createWebhook'>): Received<'createWebhook'>;
    /** List webhooks: `GET /v1/webhooks`. */
    list(query?: Query<'listWebhooks'>, options?: Options<'listWebhooks'>): Listed<'listWebhooks'>;
    /** Read a webhook: `GET /v1/webhooks/{id}`. */
    get(id: string, options?: Options<'getWebhook'>): Received<'getWebhook'>;
    /** Change a webhook: `PATCH /v1/webhooks/{id}`. */
    update(id: string, body: Body<'updateWebhook'>, options?: Options<'updateWebhook'>): Received<'updateWebhook'>;
    /** Delete a webhook: `DELETE /v1/webhooks/{id}`. */
    delete(id: string, options?: Options<'deleteWebhook'>): Received<'deleteWebhook'>;
    /** Rotate the secret of a webhook: `POST /v1/webhooks/{id}/secret/rotate`. */
    rotateSecret(
      id: string,
      body?: Body<'rotateWebhookSecret'>,
      options?: Options<'rotateWebhookSecret'>,
    ): Received<'rotateWebhookSecret'>;
    /** Send a test event: `POST /v1/webhooks/{id}/test`. */
    test(id: string, body?: Body<'testWebhook'>, options?: Options<'testWebhook'>): Received<'testWebhook'>;
    /** List the deliveries of a webhook: `GET /v1/webhooks/{id}/deliveries`. */
    listDeliveries(
      id: string,
      query?: Query<'listDeliveries'>,
      options?: Options<'listDeliveries'>,
    ): Listed<'listDeliveries'>;
    /** Send an event again: `POST /v1/webhooks/{id}/deliveries/{eventId}/resend`. */
    resendDelivery(id: string, eventId: string, options?: Options<'resendDelivery'>): Received<'resendDelivery'>;
    /** Send past events again: `POST /v1/webhooks/{id}/replay`. */
    replay(id: string, body?: Body<'replayWebhook'>, options?: Options<'replayWebhook'>): Received<'replayWebhook'>;
    /** Read a replay: `GET /v1/webhooks/{id}/replays/{replayId}`. */
    getReplay(id: string, replayId: string, options?: Options<'getWebhookReplay'>): Received<'getWebhookReplay'>;
  };
  customers: {
    /** Erase a customer: `POST /v1/customers/{id}/erase`. */
    erase(id: string, body?: Body<'eraseCustomer'>, options?: Options<'eraseCustomer'>): Received<'eraseCustomer'>;
    /** Read an erasure: `GET /v1/customers/erasures/{id}`. */
    getErasure(id: string, options?: Options<'getErasure'>): Received<'getErasure'>;
  };
  apiKeys: {
    /** Issue an API key: `POST /v1/admin/keys`. */
    create(body: Body<'createApiKey'>, options?: Options<'createApiKey'>): Received<'createApiKey'>;
    /** List API keys: `GET /v1/admin/keys`. */
    list(query?: Query<'listApiKeys'>, options?: Options<'listApiKeys'>): Listed<'listApiKeys'>;
    /** Read an API key: `GET /v1/admin/keys/{id}`. */
    get(id: string, options?: Options<'getApiKey'>): Received<'getApiKey'>;
    /** Rotate an API key: `POST /v1/admin/keys/{id}/rotate`. */
    rotate(id: string, body?: Body<'rotateApiKey'>, options?: Options<'rotateApiKey'>): Received<'rotateApiKey'>;
    /** Revoke an API key: `POST /v1/admin/keys/{id}/revoke`. */
    revoke(id: string, options?: Options<'revokeApiKey'>): Received<'revokeApiKey'>;
  };
  usage: {
    /** What the company uses of its quotas: `GET /v1/usage`. */
    get(options?: Options<'getUsage'>): Received<'getUsage'>;
  };
  health: {
    /** Whether the platform is alive: `GET /healthz`. */
    get(options?: Options<'getHealth'>): Received<'getHealth'>;
    /** Whether the platform is ready: `GET /readyz`. */
    getReadiness(options?: Options<'getReadiness'>): Received<'getReadiness'>;
  };
}

/** The request of each method: its method, its path, and what it takes beside the parts of the path. */

export const OPERATIONS = {
  events: {
    create: ['POST', '/v1/events', 'body'],
    list: ['GET', '/v1/events', 'query'],
    get: ['GET', '/v1/events/{id}', 'query'],
    update: ['PATCH', '/v1/events/{id}', 'body'],
    createInstance: ['POST', '/v1/events/{seriesId}/instances', 'body'],
    updateInstances: ['PATCH', '/v1/events/{seriesId}/instances', 'body'],
    createInstancesByRule: ['POST', '/v1/events/{seriesId}/instances/by-rule', 'body'],
    getInstancesJob: ['GET', '/v1/events/{seriesId}/date-jobs/{jobId}'],
    updateInstance: ['PATCH', '/v1/events/{seriesId}/instances/{instanceId}', 'body'],
    revertInstance: ['POST', '/v1/events/{seriesId}/instances/{instanceId}/revert', 'body'],
    createPurchaseGroup: ['POST', '/v1/events/{id}/purchase-groups', 'body'],
    listPurchaseGroups: ['GET', '/v1/events/{id}/purchase-groups', 'query'],
    mergePurchaseGroups: ['POST', '/v1/events/{id}/purchase-groups/{pgid}/merge', 'body'],
    getPurchaseGroup: ['GET', '/v1/events/{id}/purchase-groups/{pgid}'],
    updatePurchaseGroup: ['PATCH', '/v1/events/{id}/purchase-groups/{pgid}', 'body'],
    deletePurchaseGroup: ['DELETE', '/v1/events/{id}/purchase-groups/{pgid}'],
    callOff: ['POST', '/v1/events/{id}/call-off', 'body'],
    getCallOff: ['GET', '/v1/events/{id}/call-off'],
    listCalledOffOrders: ['GET', '/v1/events/{id}/call-off/orders', 'query'],
    undoCallOff: ['POST', '/v1/events/{id}/call-off/undo', 'body'],
  },
  offerings: {
    create: ['POST', '/v1/events/{id}/offerings', 'body'],
    list: ['GET', '/v1/events/{id}/offerings', 'query'],
    get: ['GET', '/v1/offerings/{id}'],
    update: ['PATCH', '/v1/offerings/{id}', 'body'],
  },
  pricing: {
    createBudget: ['POST', '/v1/pricing/budgets', 'body'],
    listBudgets: ['GET', '/v1/pricing/budgets', 'query'],
    getBudget: ['GET', '/v1/pricing/budgets/{budgetId}', 'query'],
    updateBudget: ['PATCH', '/v1/pricing/budgets/{budgetId}', 'body'],
    createAdjustment: ['POST', '/v1/pricing/adjustments', 'body'],
    listAdjustments: ['GET', '/v1/pricing/adjustments', 'query'],
    getAdjustment: ['GET', '/v1/pricing/adjustments/{id}'],
    updateAdjustment: ['PATCH', '/v1/pricing/adjustments/{id}', 'body'],
    archiveAdjustment: ['DELETE', '/v1/pricing/adjustments/{id}'],
    evaluateAdjustments: ['POST', '/v1/pricing/adjustments/evaluate', 'body'],
    redeemAdjustment: ['POST', '/v1/pricing/adjustments/{id}/redemptions', 'body'],
    listRedemptions: ['GET', '/v1/pricing/adjustments/{id}/redemptions', 'query'],
    releaseRedemption: ['DELETE', '/v1/pricing/adjustments/{id}/redemptions/{redemptionId}'],
    createRehearsal: ['POST', '/v1/pricing/rehearsals', 'body'],
    getRehearsal: ['GET', '/v1/pricing/rehearsals/{rehearsalId}'],
  },
  coupons: {
    create: ['POST', '/v1/coupons', 'body'],
    list: ['GET', '/v1/coupons', 'query'],
    get: ['GET', '/v1/coupons/{id}'],
    update: ['PATCH', '/v1/coupons/{id}', 'body'],
    archive: ['DELETE', '/v1/coupons/{id}'],
    issueCodes: ['POST', '/v1/coupons/{id}/codes', 'body'],
    listCodes: ['GET', '/v1/coupons/{id}/codes', 'query'],
    listCodeBatches: ['GET', '/v1/coupons/{id}/codes/batches', 'query'],
    getCodeBatch: ['GET', '/v1/coupons/{id}/codes/batches/{batchId}'],
    revokeCodeBatch: ['DELETE', '/v1/coupons/{id}/codes/batches/{batchId}'],
    getCode: ['GET', '/v1/coupons/{id}/codes/{code}'],
    revokeCode: ['DELETE', '/v1/coupons/{id}/codes/{code}'],
  },
  carts: {
    createSession: ['POST', '/v1/cart/sessions', 'body'],
    listSessions: ['GET', '/v1/cart/sessions', 'query'],
    setItem: ['POST', '/v1/cart/sessions/{id}/item', 'body'],
    updateSession: ['PATCH', '/v1/cart/sessions/{id}', 'body'],
    getSession: ['GET', '/v1/cart/sessions/{id}'],
    createTableCommitment: ['POST', '/v1/cart/table-commitments', 'body'],
    listTableCommitments: ['GET', '/v1/cart/table-commitments', 'query'],
    joinTable: ['POST', '/v1/cart/sessions/{id}/join-table', 'body'],
    leaveTable: ['POST', '/v1/cart/sessions/{id}/leave-table'],
    getTableCommitment: ['GET', '/v1/cart/table-commitments/{id}'],
    updateTableCommitment: ['PATCH', '/v1/cart/table-commitments/{id}', 'body'],
    closeTableCommitment: ['POST', '/v1/cart/table-commitments/{id}/close'],
  },
  orders: {
    create: ['POST', '/v1/orders', 'body'],
    list: ['GET', '/v1/orders', 'query'],
    get: ['GET', '/v1/orders/{id}'],
    update: ['PATCH', '/v1/orders/{id}', 'body'],
    extend: ['POST', '/v1/orders/{id}/extend', 'body'],
    confirm: ['POST', '/v1/orders/{id}/confirm', 'body'],
    previewAmendment: ['POST', '/v1/orders/{id}/amendments/preview', 'body'],
    amend: ['POST', '/v1/orders/{id}/amendments', 'body'],
    listAmendments: ['GET', '/v1/orders/{id}/amendments', 'query'],
    confirmAmendment: ['POST', '/v1/orders/{id}/amendments/{amendmentId}/confirm'],
    cancelAmendment: ['POST', '/v1/orders/{id}/amendments/{amendmentId}/cancel'],
    getAmendment: ['GET', '/v1/orders/{id}/amendments/{amendmentId}'],
    cancel: ['POST', '/v1/orders/{id}/cancel'],
    reopen: ['POST', '/v1/orders/{id}/reopen', 'body'],
  },
  sales: {
    get: ['GET', '/v1/sales', 'query'],
    getByAdjustment: ['GET', '/v1/sales/adjustments', 'query'],
  },
  activity: {
    list: ['GET', '/v1/activity', 'query'],
  },
  webhooks: {
    create: ['POST', '/v1/webhooks', 'body'],
    list: ['GET', '/v1/webhooks', 'query'],
    get: ['GET', '/v1/webhooks/{id}'],
    update: ['PATCH', '/v1/webhooks/{id}', 'body'],
    delete: ['DELETE', '/v1/webhooks/{id}'],
    rotateSecret: ['POST', '/v1/webhooks/{id}/secret/rotate', 'body'],
    test: ['POST', '/v1/webhooks/{id}/test', 'body'],
    listDeliveries: ['GET', '/v1/webhooks/{id}/deliveries', 'query'],
    resendDelivery: ['POST', '/v1/webhooks/{id}/deliveries/{eventId}/resend'],
    replay: ['POST', '/v1/webhooks/{id}/replay', 'body'],
    getReplay: ['GET', '/v1/webhooks/{id}/replays/{replayId}'],
  },
  customers: {
    erase: ['POST', '/v1/customers/{id}/erase', 'body'],
    getErasure: ['GET', '/v1/customers/erasures/{id}'],
  },
  apiKeys: {
    create: ['POST', '/v1/admin/keys', 'body'],
    list: ['GET', '/v1/admin/keys', 'query'],
    get: ['GET', '/v1/admin/keys/{id}'],
    rotate: ['POST', '/v1/admin/keys/{id}/rotate', 'body'],
    revoke: ['POST', '/v1/admin/keys/{id}/revoke'],
  },
  usage: {
    get: ['GET', '/v1/usage'],
  },
  health: {
    get: ['GET', '/healthz'],
    getReadiness: ['GET', '/readyz'],
  },
} as const;
