from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0001_initial"),
        ("push", "0001_initial"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="Delivery",
            name="delivered_once",
        ),
        migrations.RemoveConstraint(
            model_name="Notice",
            name="told_once",
        ),
        migrations.RemoveIndex(
            model_name="Notice",
            name="unread_news",
        ),
        migrations.RenameModel(
            old_name="Counter",
            new_name="TopicVersion",
        ),
        migrations.RenameModel(
            old_name="Delivery",
            new_name="NotificationDelivery",
        ),
        migrations.RenameModel(
            old_name="Notice",
            new_name="Notification",
        ),
        migrations.RenameField(
            model_name="NotificationDelivery",
            old_name="notice",
            new_name="notification",
        ),
        migrations.RenameField(
            model_name="NotificationDelivery",
            old_name="due",
            new_name="due_at",
        ),
        migrations.RenameField(
            model_name="NotificationDelivery",
            old_name="sent",
            new_name="sent_at",
        ),
        migrations.RenameField(
            model_name="Notification",
            old_name="about",
            new_name="topic",
        ),
        migrations.RenameField(
            model_name="Notification",
            old_name="once",
            new_name="idempotency_key",
        ),
        migrations.RenameField(
            model_name="Notification",
            old_name="made",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="Notification",
            old_name="read",
            new_name="read_at",
        ),
        migrations.RenameField(
            model_name="Notification",
            old_name="shown",
            new_name="is_shown",
        ),
        migrations.AlterModelOptions(
            name="notification",
            options={"ordering": ["-created_at", "-id"]},
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(
                condition=models.Q(("is_shown", True), ("read_at", None)),
                fields=["person", "created_at"],
                name="unread_news",
            ),
        ),
        migrations.AddConstraint(
            model_name="notification",
            constraint=models.UniqueConstraint(fields=("person", "idempotency_key"), name="told_once"),
        ),
        migrations.AddConstraint(
            model_name="notificationdelivery",
            constraint=models.UniqueConstraint(fields=("notification", "channel"), name="delivered_once"),
        ),
    ]
