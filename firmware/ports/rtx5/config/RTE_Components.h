/* RTE_Components.h - names the device header to RTX5, as a project tool would. No component is
 * selected: the event recorder is not there, see RTX_Config.h. */
#ifndef RTE_COMPONENTS_H
#define RTE_COMPONENTS_H

#define CMSIS_device_header "rtb_cm3.h"

#endif
